"""Maps that take seconds: worker processes, a Dask cluster, files that survive a kill. No Panel."""
