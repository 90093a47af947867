"""``python -m k8s`` is the cdk8s app: every environment's GitOps tree, or those asked for."""

from __future__ import annotations

import gc
import signal
import sys

from k8s.command import main

if __name__ == "__main__":
    # A polite kill cleans up as Ctrl-C does.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    gc.disable()  # a short run that keeps all it makes: collecting took a tenth of its time
    status = main(sys.argv[1:])
    gc.freeze()  # or Python collects it all once more on leaving
    sys.exit(status)
