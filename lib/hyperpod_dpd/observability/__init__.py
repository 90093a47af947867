"""Alerts, dashboards and log patterns as plain data derived from a blueprint; infra, k8s and previews render them."""
