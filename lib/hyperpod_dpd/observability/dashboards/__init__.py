"""Boards of an endpoint as data: for Grafana, and for a preview drawn from recorded scenarios."""
