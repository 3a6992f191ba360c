"""Pages of the statistics, one file per noun."""
