"""Random steps through the app: whatever is pressed, typed and chosen, no page may break."""
