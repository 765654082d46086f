"""Programs that may write no more than they are allowed to, whoever runs the tests."""

from __future__ import annotations

import os
import shutil
import subprocess
from typing import Final

import pytest

EVERYWHERE: Final = "-dac_override,-dac_read_search,-fowner"
"""Capabilities by which root reads and writes whatever the permissions of a file say."""


def within_permissions() -> list[str]:
    """Begin of a command that runs with the rights of its user and no others.

    Root stays root, and so still reads a clone and a Python in a home that nobody else may enter.
    Skips the test where root cannot give up its rights.
    """
    if os.geteuid() != 0:
        return []
    command = ["setpriv", f"--bounding-set={EVERYWHERE}", "--"]
    if shutil.which("setpriv") is None or subprocess.run([*command, "true"]).returncode:
        pytest.skip("root cannot give up its right to write everywhere here")
    return command
