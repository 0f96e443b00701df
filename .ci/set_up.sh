#!/bin/sh
# Makes .venv with exactly what requirements.lock names. Does nothing, and needs no network, when that is already so.
set -eu
cd "$(dirname "$0")/.."

wanted=$(cksum < requirements.lock)
if [ "$(cat .venv/installed 2>/dev/null)" = "$wanted" ] && .venv/bin/python -c "" 2>/dev/null; then
    exit 0
fi

stop() {
    echo "make setup: $1" >&2
    exit 1
}

python=
for name in python3 python3.14 python3.13 python3.12 python3.11; do
    if "$name" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 15))' 2>/dev/null; then
        python=$name
        break
    fi
done
[ -n "$python" ] || stop "found no Python 3.11 to 3.14: install one (python3.11 or newer) and run it again"

if ! "$python" -c "import ensurepip, venv" 2>/dev/null; then # Debian keeps them in a package of their own
    package=$("$python" -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])')
    as_root=
    [ "$(id -u)" = 0 ] || as_root="sudo -n"
    { [ -z "$as_root" ] || $as_root true 2>/dev/null; } && command -v apt-get >/dev/null &&
        { $as_root apt-get install -y -qq "$package" >/dev/null 2>&1 ||
            { $as_root apt-get update -qq && $as_root apt-get install -y -qq "$package"; } >/dev/null 2>&1; } ||
        stop "this Python cannot make a virtual environment: install the package $package and run it again"
fi

log=.venv/set_up.log
echo "make setup: installing into .venv (a minute or two, once)" >&2
"$python" -m venv --clear .venv
.venv/bin/python -m pip install --no-input --disable-pip-version-check --require-hashes -r requirements.lock >"$log" 2>&1 || {
    tail -n 20 "$log" >&2
    stop "the installation failed, see above and all of it in $log; run it again when that is mended"
}
echo "$wanted" > .venv/installed
echo "make setup: done" >&2
