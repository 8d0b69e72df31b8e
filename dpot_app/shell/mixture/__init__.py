"""What the page of a mixture asks for beyond its declared settings."""
