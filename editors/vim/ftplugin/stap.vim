" SPDX-License-Identifier: GPL-2.0-or-later
" Scripts of stap: indentation as in C, and comments.
if exists("b:did_ftplugin")
  finish
endif
let b:did_ftplugin = 1

setlocal cindent cinoptions=#1 cinkeys-=0#
setlocal comments=s1:/*,mb:*,ex:*/,://,b:# commentstring=#\ %s
setlocal formatoptions-=t formatoptions+=croql
setlocal makeprg=stap\ -p2\ % errorformat=%m\ at\ %f:%l:%c

let b:undo_ftplugin = "setlocal cindent< cinoptions< cinkeys< comments< commentstring<"
      \ . " formatoptions< makeprg< errorformat<"
