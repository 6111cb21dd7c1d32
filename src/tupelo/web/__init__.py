"""The HTTP stack that all servers share: limits, guards, static files, and the shell of all pages."""
