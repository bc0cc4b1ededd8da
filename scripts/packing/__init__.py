"""What players download: archives with an interpreter inside, wheels with compiled kernels (``scripts/package``)."""
