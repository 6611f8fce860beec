"""One game: started, appended to, read, followed, tried out, given out."""
