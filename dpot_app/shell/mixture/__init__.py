"""Controls of the page of a mixture beyond its declared settings."""
