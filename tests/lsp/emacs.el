;; Drives the language server from Emacs: findings, hover, definition, completion, formatting, renaming.
;; Usage: emacs --batch -l SETTINGS -l emacs.el FOLDER, with `rulewright' in the path

(when (< emacs-major-version 29)
  (package-initialize))
(require 'eglot)
(define-derived-mode yaml-mode text-mode "YAML")
(add-to-list 'auto-mode-alist '("\\.yaml\\'" . yaml-mode))

(defvar folder (file-name-as-directory (car command-line-args-left)))
(setq eglot-sync-connect 30)
(fset 'y-or-n-p (lambda (&rest _) t)) ; whether other files may be edited too

(defun wait-until (what test)
  (let ((end (+ (float-time) 60)))
    (while (not (funcall test))
      (when (> (float-time) end)
        (error "Waited in vain: %s" what))
      (accept-process-output nil 0.05))))

(defun open-managed (path)
  (find-file (concat folder path))
  (run-hooks 'post-command-hook)
  (wait-until (concat "the server, in " path) #'eglot-managed-p))

(defun must (what holds)
  (unless holds
    (error "%s: %s" what (buffer-string))))

(defun findings (number)
  (eglot--signal-textDocument/didChange)
  (wait-until (format "%d findings" number)
              (lambda ()
                (flymake-start)
                (= number (length (flymake-diagnostics))))))

(open-managed "pig.rules")
(must "the kind of file" (eq major-mode 'rulewright-mode))

(goto-char (point-min))
(search-forward "pot < goal")
(goto-char (match-beginning 0))
(let (said)
  (cl-letf (((symbol-function 'eglot--update-doc) (lambda (text &rest _) (setq said text))))
    (run-hook-with-args 'eldoc-documentation-functions
                        (lambda (text &rest _) (setq said (concat said text))))
    (wait-until "hover" (lambda () (and said (string-match-p "a counter" said))))))
(call-interactively #'xref-find-definitions)
(must "definition" (equal (file-name-nondirectory buffer-file-name) "game.yaml"))
(must "the server, in game.yaml" (eglot-managed-p))
(must "one server" (eq (eglot-current-server)
                       (with-current-buffer "pig.rules" (eglot-current-server))))

(open-managed "pig.rules")
(goto-char (point-max))
(insert "\nvalue   twice=pott*2\n")
(findings 1)
(must "a finding" (string-match-p "did you mean" (flymake-diagnostic-text (car (flymake-diagnostics)))))
(goto-char (point-max))
(search-backward "pott")
(replace-match "po")
(let ((found (all-completions "po" (nth 2 (run-hook-with-args-until-success
                                          'completion-at-point-functions)))))
  (must "completion" (member "pot" (mapcar #'substring-no-properties found))))
(insert "t")
(eglot-format-buffer)
(must "formatting" (string-suffix-p "\nvalue twice = pot * 2\n" (buffer-string)))
(search-backward "pot")
(eglot-rename "kitty")
(must "renaming" (not (string-match-p "\\bpot\\b" (buffer-string))))
(dolist (path '("game.yaml" "labels/en.yaml"))
  (with-current-buffer (find-file-noselect (concat folder path))
    (must (concat "renaming in " path) (string-match-p "^ *kitty:" (buffer-string)))))
(message "all answered")
(set-buffer "pig.rules")
(eglot-shutdown (eglot-current-server))
