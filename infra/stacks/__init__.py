"""Wiring: each stack hands parts of the blueprint and the ids of earlier stacks to constructs."""
