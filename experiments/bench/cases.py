"""Cases: the 22 tensors of the page on accuracy, rebuilt from the published tables, with digests of their cells.

`adult`, `fire` and `jm1` are downloaded from their publishers if they are not in the folder RIPOST_DATA. The full table
of Gowalla is too; `gowalla1000` is of a subset that can no longer be downloaded.
"""

from __future__ import annotations

import numpy as np

from experiments.datasets import load, read
from experiments.datasets.stored import world_grid
from experiments.digest import cells_digest
from ripost import Tensor
from ripost.errors import InputError

REBUILT = {  # name -> data set, attributes, digest of the cells
    "adult2d_age_fnlwgt": ("adult", "age,fnlwgt", "730714aef82059b4"),
    "adult2d_age_gain": ("adult", "age,capital-gain", "a7859508400ccec8"),
    "adult2d_age_hours": ("adult", "age,hours-per-week", "ba6b643cdc697a81"),
    "adult3d": ("adult", "age,capital-gain,hours-per-week", "56823949c7455634"),
    "adult3d_fnl": ("adult", "age,fnlwgt,hours-per-week", "69bc5314ddb4227f"),
    "adult4d": ("adult", "age,education-num,capital-gain,hours-per-week", "d8de45504f7cf3a5"),
    "adult6d_mix": ("adult", "age,workclass,education-num,occupation,capital-gain,hours-per-week", "9cd50a4552d0f265"),
    "adult6d_num": ("adult", "age,fnlwgt,education-num,capital-gain,capital-loss,hours-per-week", "ef4c5e06807d4320"),
    "fire2d_geo": ("fire", "lat,lon", "7d745b3d7426b57e"),
    "fire3d": ("fire", "CallType,Neighborhood,UnitType", "3d9c0c5bbff27031"),
    "fire4d": ("fire", "CallType,CallFinalDisposition,Neighborhood,delay", "76b6d1be35ee0deb"),
    "fire6d": ("fire", "CallType,CallFinalDisposition,StationArea,UnitType,Neighborhood,delay", "8df3edc9cfda83bd"),
    "gowalla1000": ("gowalla", "lat,lon", "b240823914eff651"),
    "gowalla256": ("gowalla", "x,y", "32477825865f6afd"),
    "jm2": ("jm1", "loc,v(g)", "1ccc0ed6dd57d256"),
    "jm3": ("jm1", "loc,v(g),ev(g)", "0c243f0b865500f5"),
    "jm4": ("jm1", "loc,v(g),ev(g),iv(g)", "a0d9d4a46d8923d0"),
    "jm5": ("jm1", "loc,v(g),ev(g),iv(g),n", "bde111604171a94c"),
    "jm6": ("jm1", "loc,v(g),ev(g),iv(g),n,v", "87edc1966fc27d02"),
    "small_adult2": ("adult", "age,workclass", "69fabf849cae5b4e"),
    "small_adult3": ("adult", "age,workclass,race", "c3e26f7619ed3808"),
    "small_adult4": ("adult", "age,workclass,race,capital-gain", "b74c684ebd3702fb"),
}


def rebuild_case(name: str) -> Tensor:
    """The tensor of a case; InputError if its cells are not those that the case had."""
    dataset, attributes, digest = REBUILT[name]
    tensor = _world() if name == "gowalla256" else load(dataset).tensor(attributes.split(","))
    if (found := cells_digest(tensor)) != digest:
        raise InputError(
            f"the cells of {name} must have the digest {digest}, got {found}; is {dataset} another version?"
        )
    return tensor


def _world() -> Tensor:
    grid = world_grid(read("gowalla"))
    coords = np.argwhere(grid > 0)
    return Tensor.from_arrays({"x": 256, "y": 256}, coords, grid[tuple(coords.T)])
