(define-derived-mode rulewright-mode prog-mode "Rules"
  (setq-local comment-start "# "
              indent-tabs-mode nil
              tab-width 4))
(add-to-list 'auto-mode-alist '("\\.rules\\'" . rulewright-mode))

(defun rulewright-start ()
  "Start the language server in a file of a ruleset."
  (when (and buffer-file-name (locate-dominating-file buffer-file-name "game.yaml"))
    (setq-local eglot-server-programs
                '(((rulewright-mode yaml-mode yaml-ts-mode csv-mode) . ("rulewright" "lsp"))))
    (eglot-ensure)))
(dolist (mode '(rulewright-mode-hook yaml-mode-hook yaml-ts-mode-hook csv-mode-hook))
  (add-hook mode #'rulewright-start))
