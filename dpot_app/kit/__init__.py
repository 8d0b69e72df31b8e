"""What all studies share: settings that are declared once."""
