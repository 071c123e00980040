(define-derived-mode rulewright-mode prog-mode "Rules"
  (setq-local comment-start "# "
              indent-tabs-mode nil
              tab-width 4))
(add-to-list 'auto-mode-alist '("\\.rules\\'" . rulewright-mode))
(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs '(rulewright-mode . ("rulewright" "lsp"))))
