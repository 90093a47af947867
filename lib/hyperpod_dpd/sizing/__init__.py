"""Exact arithmetic behind the buffer, memory and address rules: plain integers, no cloud, no I/O."""
