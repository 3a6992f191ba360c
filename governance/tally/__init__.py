"""The arithmetic of decisions. Nothing here knows Django; whole numbers and fractions only."""
