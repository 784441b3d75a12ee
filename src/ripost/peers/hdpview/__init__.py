"""HDPView: a tree of privately chosen cuts (Kato et al. 2022)."""
