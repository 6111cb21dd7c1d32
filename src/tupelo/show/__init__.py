"""Every drawing, plot and page of results. No value knows how it is drawn; this room knows the values."""
