"""Planning: forecasts the errors of a release from public facts and simulation, before any data is read."""
