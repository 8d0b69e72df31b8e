"""What the page of a population asks for beyond its declared settings."""
