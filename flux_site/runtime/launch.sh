#!/bin/sh
# Finds a Python of at least 3.11 and hands over to environment.py, which makes `.venv` when it must.
# The files in bin/ call this; the environment's own Python comes first because it costs no search.
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd -P) || exit 1

fits() {
    "$1" -c 'import sys, ensurepip; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1
}

for python in "${FLUX_VENV:-$root/.venv}/bin/python" "${FLUX_PYTHON:-python3}" \
    python3.13 python3.12 python3.11 python3.14; do
    if fits "$python"; then
        exec "$python" -P "$root/flux_site/runtime/environment.py" "$@"
    fi
done
echo "Flux needs Python 3.11 or newer with its venv module (on Debian: apt install python3-venv)." >&2
echo "Point FLUX_PYTHON at one if it is not on PATH." >&2
exit 1
