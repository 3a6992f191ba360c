"""Search over everything that everybody may read. It stands above the apps it asks."""
