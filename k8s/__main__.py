"""``python -m k8s`` is the cdk8s app: every environment's GitOps tree, or those asked for."""

from __future__ import annotations

import signal
import sys

from k8s.command import main

if __name__ == "__main__":
    # A polite kill cleans up as Ctrl-C does.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    sys.exit(main(sys.argv[1:]))
