"""Files in and out: tuple formats, and the catalogue of public datasets. The only room that opens anything."""
