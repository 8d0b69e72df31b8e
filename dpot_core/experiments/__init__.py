"""What a page shows is computed here: frozen Config in, frozen Result out. One module per page."""
