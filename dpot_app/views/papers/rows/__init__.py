"""The rows, one file (or folder) a paper."""
