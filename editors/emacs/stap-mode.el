;;; stap-mode.el --- Scripts of stap: the SystemTap language  -*- lexical-binding: t -*-
;; SPDX-License-Identifier: GPL-2.0-or-later

;;; Commentary:

;; Colours, and indents by braces as C is.  C-c C-c checks the script, so that `next-error' goes to
;; what stap complains about.
;;
;;	(require 'stap-mode)		; in ~/.emacs

;;; Code:

(defvar stap-indent 8
  "Columns by which a block is indented.")

(defvar stap-mode-syntax-table
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?_ "_" table)
    (modify-syntax-entry ?\" "\"" table)
    (modify-syntax-entry ?# "< b" table)
    (modify-syntax-entry ?/ ". 124" table)
    (modify-syntax-entry ?* ". 23n" table)
    (modify-syntax-entry ?\n "> b" table)
    (modify-syntax-entry ?% "." table)
    (modify-syntax-entry ?$ "_" table)
    (modify-syntax-entry ?@ "_" table)
    table))

(defvar stap-mode-keywords
  `((,(regexp-opt '("probe" "function" "global" "private" "if" "else" "for" "while" "foreach"
                    "in" "limit" "break" "continue" "next" "return" "delete" "try" "catch")
                  'symbols)
     . font-lock-keyword-face)
    (,(regexp-opt '("long" "string") 'symbols) . font-lock-type-face)
    ("\\_<\\(?:function\\)\\s-+\\(\\(?:\\sw\\|\\s_\\)+\\)" 1 font-lock-function-name-face)
    ("\\_<probe\\s-+\\([a-z_.]+\\)" 1 font-lock-function-name-face)
    ("[$@][0-9#*]+" . font-lock-constant-face)
    ("\\$+[A-Za-z_][A-Za-z0-9_]*\\$*" . font-lock-variable-name-face)
    ("@[A-Za-z_][A-Za-z0-9_]*" . font-lock-builtin-face)
    ("%[(){}?:]" . font-lock-preprocessor-face))
  "What `stap-mode' colours.")

(defun stap-indent-line ()
  "Indent the line by the brackets that are open before it."
  (interactive)
  (let* ((column (save-excursion
                   (back-to-indentation)
                   (let ((depth (car (syntax-ppss (line-beginning-position))))
                         (inside (nth 8 (syntax-ppss (line-beginning-position)))))
                     (cond (inside (current-indentation))
                           ((looking-at "[]})]") (* stap-indent (max 0 (1- depth))))
                           (t (* stap-indent depth))))))
         (behind (- (current-column) (current-indentation))))
    (indent-line-to column)
    (when (> behind 0)
      (forward-char behind))))

(defun stap-check ()
  "Look for errors in the script, without running it."
  (interactive)
  (compile (concat "stap -p2 " (shell-quote-argument (buffer-file-name)))))

(defvar stap-mode-map
  (let ((map (make-sparse-keymap)))
    (define-key map (kbd "C-c C-c") #'stap-check)
    (define-key map (kbd "}") (lambda () (interactive) (insert "}") (stap-indent-line)))
    map))

;;;###autoload
(define-derived-mode stap-mode prog-mode "Stap"
  "Edit scripts of stap."
  (setq-local comment-start "# "
              comment-end ""
              comment-start-skip "\\(?:#+\\|//+\\|/\\*+\\)\\s-*"
              indent-line-function #'stap-indent-line
              indent-tabs-mode t
              font-lock-defaults '(stap-mode-keywords)))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.stpm?\\'" . stap-mode))
;;;###autoload
(add-to-list 'interpreter-mode-alist '("stap" . stap-mode))

(with-eval-after-load 'compile
  (defvar compilation-error-regexp-alist)
  (add-to-list 'compilation-error-regexp-alist
               '(" at \\([^ \t\n:<]+\\):\\([0-9]+\\):\\([0-9]+\\)$" 1 2 3)))

(provide 'stap-mode)
;;; stap-mode.el ends here
