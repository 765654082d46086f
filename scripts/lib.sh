# shellcheck shell=bash
# Sourced by the scripts beside it.
# shellcheck disable=SC2034
root=$(CDPATH='' cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd -P)

# say ENGLISH FRENCH: one sentence to the person, in their language.
say() {
    case ${LC_ALL:-${LC_MESSAGES:-${LANG:-}}} in
        fr*) printf '%s\n' "$2" ;;
        *) printf '%s\n' "$1" ;;
    esac >&2
}

fail() {
    say "$@"
    exit 1
}
