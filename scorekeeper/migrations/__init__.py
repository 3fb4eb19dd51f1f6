"""Database migrations, and reading data of older versions."""
