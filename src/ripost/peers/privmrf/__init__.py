"""PrivMRF: a Markov random field on a graph of dependent attributes (Cai et al. 2021)."""
