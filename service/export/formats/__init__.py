"""File formats (CSV, XLSX, PDF), independent of games."""
