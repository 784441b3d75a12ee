"""What a release will be worth, told beforehand from public facts and simulation."""
