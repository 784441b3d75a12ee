"""SWIFT: marginals of a clique tree that is grown by noisy errors, and a graphical model (google/dpsynth)."""
