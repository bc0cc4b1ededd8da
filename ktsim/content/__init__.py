"""Reading files from outside: data, never code, with an error that names the place."""
