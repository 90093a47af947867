"""The catalogue keeps every number about the outside world in one place, each with its source and date."""

from hyperpod_dpd.catalog.data_files import catalog_date

__all__ = ["catalog_date"]
