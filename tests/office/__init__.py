"""Our files opened by a spreadsheet. These tests need LibreOffice."""
