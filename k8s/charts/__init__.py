"""One chart is one GitOps app folder."""
