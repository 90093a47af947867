"""Recorded hours of an endpoint, healthy and broken: what alerts are tried on and previews are drawn from."""
