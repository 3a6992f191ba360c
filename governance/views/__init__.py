"""The pages of governance, one module for each noun."""
