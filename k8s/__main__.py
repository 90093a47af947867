"""``python -m k8s`` is the cdk8s app: every environment's GitOps tree, or those asked for."""

from __future__ import annotations

import sys

from k8s.command import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
