"""The kit that all pages are made of: settings that are declared once."""
