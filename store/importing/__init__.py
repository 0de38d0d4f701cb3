"""Importing a shop's own orders, customers and products from the files of its shop system."""

from store.importing.fields import Options
from store.importing.guess import NAMES
from store.importing.importer import Progress, Report, Wanted, import_files, unwatched
from store.importing.problems import FileRefused, Problem

__all__ = [
    "NAMES",
    "FileRefused",
    "Options",
    "Problem",
    "Progress",
    "Report",
    "Wanted",
    "import_files",
    "unwatched",
]
