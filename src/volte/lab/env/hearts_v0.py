"""The environment under its versioned name, to import as PettingZoo's own are."""

from volte.lab.env.aec import env, raw_env

__all__ = ["env", "raw_env"]
