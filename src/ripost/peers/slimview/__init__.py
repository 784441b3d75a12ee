"""SLIM-View: noisy cells and random regions (Laouir and Imine 2024)."""
