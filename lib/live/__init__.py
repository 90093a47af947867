"""Running systems: AWS and clusters. No other part of lib imports their clients."""
