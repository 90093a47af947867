"""Thin typed wrappers over ApiObject, one per kind of object that we emit."""
