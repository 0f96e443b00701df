#!/bin/sh
# Has Prometheus and Chromium at hand for the tests, as far as this machine lets us, and says in one line what is missing.
# Prometheus is unpacked, not installed: a package that is installed would leave a service behind that starts at boot.
set -eu
cd "$(dirname "$0")/.."
parts=.data/parts

as_root=
[ "$(id -u)" = 0 ] || as_root="sudo -n"
may_install() {
    command -v apt-get >/dev/null && { [ -z "$as_root" ] || $as_root true 2>/dev/null; }
}
twice() { # at the second try with a fresh list of packages
    "$@" >/dev/null 2>&1 || { may_install && $as_root apt-get update -qq >/dev/null 2>&1 && "$@" >/dev/null 2>&1; }
}

has_prometheus() {
    PATH="$PATH:$parts/usr/bin" prometheus --version >/dev/null 2>&1 &&
        PATH="$PATH:$parts/usr/bin" promtool --version >/dev/null 2>&1
}
unpack_prometheus() {
    mkdir -p "$parts" && (cd "$parts" && apt-get download prometheus && dpkg -x prometheus_*.deb . && rm prometheus_*.deb)
}
has_chromium() {
    for name in chromium chromium-browser google-chrome google-chrome-stable; do
        "$name" --version >/dev/null 2>&1 && return 0
    done
    [ -x "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome" ]
}
install_chromium() {
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium fonts-dejavu-core
}

missing=
has_prometheus || { command -v apt-get >/dev/null && twice unpack_prometheus; } || true
has_prometheus || missing="Prometheus (tests marked prometheus)"
has_chromium || { may_install && twice install_chromium; } || true
has_chromium || missing="${missing:+$missing and }Chromium (tests marked browser)"

[ -z "$missing" ] || echo "make test: not found on this machine, and so not run: $missing" >&2
