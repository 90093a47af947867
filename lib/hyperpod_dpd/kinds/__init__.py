"""The kinds of object that stand beside an endpoint, as field trees: what a cluster refuses of them is told before."""
