#!/bin/sh
# repo_setup: configures apt, dnf, yum or zypper for the packages of a product.
# It reads /etc/os-release and needs curl or wget. `sh repo_setup --help` explains it.
set -eu

# --- what is published; written by the portal ---
#@tables@
# --- end of what is published ---

config=/etc
product=$default_product
wanted=''
os_type=''
os_version=''
arch=''
import_keys=yes
check_eol=yes
check_os_eol=yes
verify=yes
to_stdout=no
action=configure

say() { printf '%s\n' "$*" >&2; }
warn() { say "Warning: $*"; }
fail() {
    say "Error: $*"
    exit 1
}

usage() {
    cat <<END
Usage: sh repo_setup [options]

Configures this machine's package manager for a product, and imports its keys.

  --help                    show this and end
  --version                 show the version of this script and end
  --list                    show what is published and end
  --product=NAME            the product, $default_product if not given
  --server-version=VERSION  a series, an exact version, or a name that moves on such as latest;
                            if not given, what we recommend
  --os-type=TYPE            instead of what /etc/os-release says: debian, ubuntu, rhel, sles, ...
  --os-version=VERSION      the release of the system or its codename: 12, bookworm, 24.04, ...
  --arch=ARCHITECTURE       x86_64 or amd64, aarch64 or arm64
  --skip-key-import         do not import the keys
  --skip-eol-check          do not warn of a series that is no longer supported
  --skip-os-eol-check       do not warn of a system that is no longer supported
  --skip-verify             do not look whether the version is published
  --write-to-stdout         write the configuration to standard output and change nothing

Other options are ignored. Run it as root, but for --write-to-stdout.
END
}

# --- asking the tables ---

name_row() { # kind, maturity and end of the name that was wanted
    names | while read -r of name kind maturity ends; do
        if [ "$of" = "$product" ] && [ "$name" = "$wanted" ]; then
            printf '%s %s %s\n' "$kind" "$maturity" "$ends"
            break
        fi
    done
}

product_row() { # recommended name, package and title
    products | while read -r slug its_name its_package its_title; do
        if [ "$slug" = "$product" ]; then
            printf '%s %s %s\n' "$its_name" "$its_package" "$its_title"
            break
        fi
    done
}

family_of() { # how we call the family of an ID of os-release
    ids | while read -r id family; do
        if [ "$id" = "$1" ]; then
            printf '%s\n' "$family"
            break
        fi
    done
}

system_row() { # of a family and a release or codename
    systems | while read -r a_slug a_family a_release a_codename a_tool an_end has a_title; do
        [ "$a_family" = "$1" ] || continue
        short=$2
        [ "$a_tool" = apt ] || short=${2%%.*}
        case $a_release/$a_codename in
        "$2"/* | "$short"/* | */"$2")
            printf '%s %s %s %s %s %s %s\n' \
                "$a_slug" "$a_release" "$a_codename" "$a_tool" "$an_end" "$has" "$a_title"
            break
            ;;
        esac
    done
}

place_row() { # architectures of a name for a system
    places | while read -r of name slug architectures; do
        if [ "$of" = "$product" ] && [ "$slug" = "$2" ]; then
            if [ "$name" = "$1" ] || [ "$1" = '*' ]; then
                printf '%s\n' "$architectures"
                break
            fi
        fi
    done
}

names_for() { # every name that is published for a system
    places | while read -r of name slug _; do
        if [ "$of" = "$product" ] && [ "$slug" = "$1" ]; then printf ' %s' "$name"; fi
    done
}

processor() { # amd64 and x86_64 are the same
    case $1 in
    amd64) printf 'x86_64\n' ;;
    arm64) printf 'aarch64\n' ;;
    ppc64el) printf 'ppc64le\n' ;;
    *) printf '%s\n' "$1" ;;
    esac
}

architecture_among() { # our word for the processor, if it is in a list with commas
    mine=$(processor "$arch")
    for found in $(printf '%s' "$1" | tr ',' ' '); do
        if [ "$(processor "$found")" = "$mine" ]; then
            printf '%s\n' "$found"
            break
        fi
    done
}

has_ended() { # whether a day such as 2026-08-31 has come
    [ "$1" != - ] || return 1
    [ "$(printf '%s' "$1" | tr -d '-')" -le "$(date -u +%Y%m%d)" ]
}

list() {
    places | while read -r of name slug architectures; do
        ended=''
        names | while read -r of_name known kind maturity ends; do
            if [ "$of_name" = "$of" ] && [ "$known" = "$name" ]; then
                if has_ended "$ends"; then ended=", ended $ends"; fi
                printf '%-24s %-14s %-16s %-16s %s\n' \
                    "$of" "$name" "$slug" "$architectures" "$kind, $maturity$ended"
                break
            fi
        done
    done
}

# --- this machine ---

os_release() { # the value of a name in os-release
    (
        # shellcheck source=/dev/null
        . "$config/os-release"
        eval "printf '%s\\n' \"\${$1:-}\""
    )
}

detect_system() {
    if [ -n "$os_type" ] && [ -n "$os_version" ]; then return; fi
    [ -r "$config/os-release" ] ||
        fail "there is no $config/os-release; say --os-type= and --os-version="
    if [ -z "$os_type" ]; then
        os_type=$(os_release ID)
        for like in $(os_release ID_LIKE); do
            if [ -z "$(family_of "$os_type")" ]; then
                os_type=$like
                os_version=$(os_release UBUNTU_CODENAME)
                [ -n "$os_version" ] || os_version=$(os_release DEBIAN_CODENAME)
            fi
        done
    fi
    [ -n "$os_version" ] || os_version=$(os_release VERSION_ID)
}

fetch() { # an address into a file
    if command -v curl >/dev/null 2>&1; then
        curl -fsSL -o "$2" "$1"
    elif command -v wget >/dev/null 2>&1; then
        wget -q -O "$2" "$1"
    else
        fail "curl or wget is needed"
    fi
}

digest_is() { # whether a file has a SHA-256
    if ! command -v sha256sum >/dev/null 2>&1; then
        warn "there is no sha256sum; $1 was not compared"
        return 0
    fi
    [ "$(sha256sum "$1" | cut -d ' ' -f 1)" = "$2" ]
}

fetch_keyring() { # the keys of the product, as asc or pgp, into a file
    from=$site/keys/$product-archive-keyring.$1
    keyrings | while read -r of armored binary fingerprints; do
        [ "$of" = "$product" ] || continue
        fetch "$from" "$2" || fail "cannot fetch $from"
        expected=$armored
        [ "$1" = asc ] || expected=$binary
        digest_is "$2" "$expected" || fail "the keys in $from are not those this script knows;" \
            "fetch the newest script from $site/repo_setup"
        say "Trusts the key $(printf '%s' "$fingerprints" | sed 's/,/ and the key /g')"
    done
}

keep_old() { # what is there becomes .old_1, .old_2, ...
    [ -e "$1" ] || return 0
    number=1
    while [ -e "$1.old_$number" ]; do number=$((number + 1)); done
    mv "$1" "$1.old_$number"
    say "The old $1 is now $1.old_$number"
}

# --- the configuration ---

head_line() {
    printf '# %s for %s, generated %s\n' "$title $wanted" "$system_title" "$version"
}

sources_file() {
    head_line
    cat <<END
X-Repolib-Name: $title $wanted
Types: deb
URIs: $address
Suites: $codename
Components: main
Architectures: $architecture
Signed-By: /usr/share/keyrings/$product-archive-keyring.pgp
END
}

repo_file() {
    head_line
    cat <<END
[$product-$wanted]
name=$title $wanted
baseurl=$address
gpgkey=$site/keys/$product-archive-keyring.asc
enabled=1
gpgcheck=1
repo_gpgcheck=1
END
    if [ "$tool" = zypper ]; then
        printf 'autorefresh=1\n'
    else
        printf 'metadata_expire=6h\n'
        if [ "$modules" = yes ]; then printf 'module_hotfixes=1\n'; fi
    fi
}

configuration() {
    if [ "$tool" = apt ]; then sources_file; else repo_file; fi
}

choose_name() {
    row=$(product_row)
    [ -n "$row" ] || fail "there is no product $product; --list shows what is published"
    read -r recommended package title <<END
$row
END
    [ -n "$wanted" ] || wanted=$recommended
    case $wanted in
    *[!0-9A-Za-z.~-]*) fail "a version has digits, letters, dots and hyphens alone" ;;
    esac
    row=$(name_row)
    if [ -z "$row" ]; then
        [ "$verify" = no ] || fail "$title $wanted is not published; --list shows what is"
        return 0
    fi
    read -r kind maturity ends <<END
$row
END
    if [ "$check_eol" = yes ] && has_ended "$ends"; then
        warn "$title $wanted ($kind) is no longer supported since $ends: no fixes come any more"
    fi
    case $maturity in
    stable | old-stable) ;;
    withdrawn) warn "$title $wanted was withdrawn; its page says why, and what to use instead" ;;
    *) warn "$title $wanted is not for production: its maturity is $maturity" ;;
    esac
}

choose_system() {
    detect_system
    family=$(family_of "$os_type")
    row=''
    [ -z "$family" ] || row=$(system_row "$family" "$os_version")
    [ -n "$row" ] || fail "nothing is published for $os_type $os_version; --list shows for what"
    read -r system release codename tool os_ends modules system_title <<END
$row
END
    if [ "$check_os_eol" = yes ] && has_ended "$os_ends"; then
        warn "$system_title is no longer supported by its makers since $os_ends"
    fi
}

choose_place() {
    row=$(place_row "$wanted" "$system")
    if [ -z "$row" ] && [ "$verify" = no ]; then row=$(place_row '*' "$system"); fi
    others=$(names_for "$system")
    [ -n "$row" ] ||
        fail "$title $wanted is not published for $system_title; there is:${others:- nothing}"
    architectures=$row
    [ -n "$arch" ] || arch=$(uname -m)
    architecture=$(architecture_among "$architectures")
    [ -n "$architecture" ] ||
        fail "$title $wanted for $system_title is built for $architectures, not for $arch"
    place=$wanted
    [ "$product" = "$default_product" ] || place="$product/$wanted"
    if [ "$tool" = apt ]; then
        address="$site/repo/$place/$family"
        index="$address/dists/$codename/InRelease"
    else
        address="$site/yum/$place/$family/$release/$architecture"
        index="$address/repodata/repomd.xml"
    fi
}

# --- doing it ---

import_keyring() {
    if [ "$tool" = apt ]; then
        fetch_keyring pgp "$work/keyring" || exit 1
        mkdir -p /usr/share/keyrings
        cp "$work/keyring" "/usr/share/keyrings/$product-archive-keyring.pgp"
        chmod 644 "/usr/share/keyrings/$product-archive-keyring.pgp"
    else
        fetch_keyring asc "$work/keyring" || exit 1
        rpm --import "$work/keyring"
    fi
}

keyring_package() { # the package that brings new keys, if the repository has it
    if apt-cache show "$product-archive-keyring" >/dev/null 2>&1; then
        printf ' %s' "$product-archive-keyring"
    fi
}

write_file() {
    case $tool in
    apt) path=$config/apt/sources.list.d/$product.sources ;;
    dnf) path=$config/yum.repos.d/$product.repo ;;
    *) path=$config/zypp/repos.d/$product.repo ;;
    esac
    configuration >"$work/file"
    if [ -e "$path" ] && [ "$(sed 1d "$path")" = "$(sed 1d "$work/file")" ]; then
        say "$path is as it should be"
        return 0
    fi
    keep_old "$path"
    [ "$tool" != apt ] || keep_old "${path%.sources}.list"
    mkdir -p "${path%/*}"
    cp "$work/file" "$path"
    chmod 644 "$path"
    say "Wrote $path"
}

configure() {
    choose_name
    choose_system
    choose_place
    if [ "$to_stdout" = yes ]; then
        configuration
        return
    fi
    [ "$(id -u)" -eq 0 ] || fail "run this as root, or with --write-to-stdout"
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    if [ "$verify" = yes ]; then
        fetch "$index" "$work/index" || fail "cannot read $index"
    fi
    [ "$import_keys" = no ] || import_keyring
    write_file
    case $tool in
    apt)
        apt-get update -qq
        say "Install it: apt-get install $package$(keyring_package)"
        ;;
    dnf) say "Install it: dnf install $package" ;;
    *) say "Install it: zypper install $package" ;;
    esac
}

for option in "$@"; do
    case $option in
    --help) action=usage ;;
    --version) action=version ;;
    --list) action=list ;;
    --product=*) product=${option#*=} ;;
    --server-version=*) wanted=${option#*=} ;;
    --os-type=*) os_type=${option#*=} ;;
    --os-version=*) os_version=${option#*=} ;;
    --arch=*) arch=${option#*=} ;;
    --skip-key-import) import_keys=no ;;
    --skip-eol-check) check_eol=no ;;
    --skip-os-eol-check) check_os_eol=no ;;
    --skip-verify) verify=no ;;
    --write-to-stdout) to_stdout=yes ;;
    *) warn "$option is not an option of this script and is ignored; --help lists them" ;;
    esac
done

case $action in
usage) usage ;;
version) printf 'repo_setup %s\n' "$version" ;;
list) list ;;
*) configure ;;
esac
