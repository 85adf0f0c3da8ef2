" SPDX-License-Identifier: GPL-2.0-or-later
" Scripts of stap: the SystemTap language.
if exists("b:current_syntax")
  finish
endif
syntax include @stapC syntax/c.vim
unlet! b:current_syntax
syntax sync fromstart

syntax keyword stapDeclaration probe function global private
syntax keyword stapStatement if else for while foreach in limit break continue next return delete
syntax keyword stapStatement try catch
syntax keyword stapType long string
syntax keyword stapPoint begin end error never oneshot timer kernel module process procfs perf
syntax keyword stapPoint netfilter kprobe syscall nd_syscall tp_syscall

" Variables of what is probed, and the script's arguments.
syntax match stapTarget "\$\$\=\h\w*\$\{0,2}"
syntax match stapArgument "[$@]\(\d\+\|#\|\*\)"
syntax match stapOperation "@\h\w*"
syntax match stapNumber "\<\(0[xX]\x\+\|\d\+\)\>"

syntax match stapEscape contained "\\\(\o\{1,3}\|x\x\{1,2}\|.\)"
syntax match stapFormat contained "%[-+ #0]*\(\*\|\d\+\)\=\(\.\(\*\|\d\+\)\)\=l\{0,2}[bcdiopsuxXmMnr%]"
syntax region stapString start=+"+ skip=+\\.+ end=+"+ contains=stapEscape,stapFormat

syntax keyword stapTodo contained TODO FIXME XXX
syntax match stapComment "#.*$" contains=stapTodo
syntax match stapComment "//.*$" contains=stapTodo
syntax region stapComment start="/\*" end="\*/" contains=stapTodo

syntax match stapCondition "%[(?:)]"
syntax region stapEmbedded matchgroup=stapCondition start="%{" end="%}" contains=@stapC keepend

highlight default link stapDeclaration Keyword
highlight default link stapStatement Statement
highlight default link stapType Type
highlight default link stapPoint Function
highlight default link stapTarget Identifier
highlight default link stapArgument Identifier
highlight default link stapOperation Macro
highlight default link stapNumber Number
highlight default link stapEscape SpecialChar
highlight default link stapFormat SpecialChar
highlight default link stapString String
highlight default link stapTodo Todo
highlight default link stapComment Comment
highlight default link stapCondition PreProc

let b:current_syntax = "stap"
