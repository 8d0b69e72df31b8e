"""Files and links that are made to hurt: 2,000 and more from seeds, each read in a process of its own with bounds.

`python -m tests.hostile` runs all. A case that fails is named by its kind and number: ``--only csv:17`` runs it again.
"""
