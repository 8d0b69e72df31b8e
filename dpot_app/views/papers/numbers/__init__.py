"""Our numbers from nothing, one file a paper."""
