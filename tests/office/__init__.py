"""What a spreadsheet makes of our files. These tests need LibreOffice."""
