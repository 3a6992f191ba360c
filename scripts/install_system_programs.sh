#!/usr/bin/env bash
# The system programs that real-client tests use: a browser, package managers, a database
# server, a web server. Where root and apt-get are at hand they are installed; elsewhere
# the tests that need one are skipped and say which.
set -euo pipefail

# program -> Debian package
programs=(
    "ansible-playbook:ansible-core"
    "busybox:busybox"
    "chromium:chromium"
    "nginx:nginx-light"
    "dnf:dnf"
    "dpkg-deb:dpkg"
    "hyperfine:hyperfine"
    "mariadbd:mariadb-server"
    "faketime:faketime"
    "msgfmt:gettext"
    "gpgv:gpgv"
    "rpmbuild:rpm"
    "shellcheck:shellcheck"
    "zypper:zypper"
)

PATH="$PATH:/usr/sbin:/sbin:/usr/local/go/bin"
# Stripe's own check of requests is a Go program (Go 1.22 or newer builds it).
if ! command -v stripe-mock >/dev/null && command -v go >/dev/null && [ -w /usr/local/bin ]; then
    GOBIN=/usr/local/bin go install github.com/stripe/stripe-mock@v0.203.0 ||
        echo "stripe-mock was not built; the test that needs it is skipped." >&2
fi
missing=()
for entry in "${programs[@]}"; do
    command -v "${entry%%:*}" >/dev/null || missing+=("${entry##*:}")
done
[ ${#missing[@]} -eq 0 ] && exit 0

if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
    echo "Not installed: ${missing[*]}. The tests that need them are skipped." >&2
    exit 0
fi
echo "Installing for the tests: ${missing[*]}" >&2
export DEBIAN_FRONTEND=noninteractive
# A server of Debian must not start by itself: the tests start their own.
apt=(apt-get -qq -o DPkg::Lock::Timeout=600)
"${apt[@]}" update >/dev/null || true
policy=/usr/sbin/policy-rc.d
made=""
if [ ! -e "$policy" ]; then
    printf '#!/bin/sh\nexit 101\n' >"$policy" && chmod 755 "$policy" && made=yes
fi
trap '[ -z "$made" ] || rm -f "$policy"' EXIT
if ! "${apt[@]}" install -y --no-install-recommends "${missing[@]}" >/dev/null; then
    echo "apt-get could not install them; the tests that need them are skipped." >&2
    [ "${CI:-}" != true ] || exit 1
fi
