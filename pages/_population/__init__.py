"""What only the page US population has."""
