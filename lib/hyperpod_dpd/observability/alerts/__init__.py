"""The alerts by subject, each beside the series that make it fire and those that nearly do."""
