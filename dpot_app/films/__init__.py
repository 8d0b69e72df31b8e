"""Films out of which one is released: how they are split and embedded, who releases them, how good they are."""
