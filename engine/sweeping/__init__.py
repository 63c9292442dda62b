"""Sweeps: models at every point of a grid, on prepared data, with any measure."""
