"""The version, in one place; read by the build and by ``pybadge --version`` without importing
anything else."""

__version__ = "0.1.0"
