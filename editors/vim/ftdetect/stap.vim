" SPDX-License-Identifier: GPL-2.0-or-later
" Vim takes *.stp for stored procedures.
autocmd BufNewFile,BufRead *.stp,*.stpm set filetype=stap
autocmd BufNewFile,BufRead * if getline(1) =~# '^#!.*\<stap\>' | set filetype=stap | endif
