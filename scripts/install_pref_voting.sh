#!/usr/bin/env bash
# pref_voting in an environment of its own: 780 MB with what it needs (numba, OR-tools), so
# only for governance/tests/test_pref_voting.py, which asks it how it counts.
set -euo pipefail

folder=${PREF_VOTING:-$(dirname "$0")/../var/pref_voting}
python3 -m venv "$folder"
"$folder/bin/python" -m pip install --quiet --disable-pip-version-check pref_voting==1.18.2
