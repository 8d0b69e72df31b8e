"""Controls of the page of a population beyond its declared settings."""
