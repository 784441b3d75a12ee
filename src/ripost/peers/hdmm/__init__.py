"""HDMM: the matrix mechanism with Kronecker strategies (McKenna et al. 2018)."""
