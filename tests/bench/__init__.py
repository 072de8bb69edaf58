"""The benchmark of RNNScope: `make bench`, or `python -m tests.bench` from the root of the repository."""
