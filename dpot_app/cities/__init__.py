"""Check-ins in a city, made ready for the pages that show it: people, grid, map, and a crowd that releases."""
