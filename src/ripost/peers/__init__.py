"""Peers: one folder per competing method. Modules beside the folders are shared by several peers."""
