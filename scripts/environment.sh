# Sourced by the other scripts: makes .venv with what the named extras need, once.
#   prepare_environment [extra,extra...]
# A stamp of pyproject.toml's content per set of extras says whether it is up to date.

root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
venv="$root/.venv"

find_python() {
  local name
  for name in python3.13 python3.12 python3.11 python3 python; do
    if command -v "$name" >/dev/null 2>&1 &&
       "$name" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2])' 2>/dev/null; then
      echo "$name"; return 0
    fi
  done
  return 1
}

make_venv() {
  local python
  if python="$(find_python)"; then
    echo "Setting up ktsim in $venv (once; about a minute)..." >&2
    "$python" -m venv "$venv" && return 0
    echo "Could not create $venv; on Debian or Ubuntu install python3-venv." >&2
  elif command -v uv >/dev/null 2>&1; then
    echo "There is no Python 3.11 or newer; uv fetches one into $venv (once; a minute or two)..." >&2
    uv venv --quiet --seed --python 3.11 "$venv" && return 0
    echo "uv could not fetch Python 3.11: check the connection and run this again." >&2
  else
    echo "ktsim needs Python 3.11 or newer, or uv, which fetches one; install one of them and run this again." >&2
  fi
  return 1
}

prepare_environment() {
  local extras="${1:-}" stamp wanted
  stamp="$venv/.ready-${extras//,/-}"
  wanted="$(cksum < "$root/pyproject.toml")"
  [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$wanted" ] && return 0
  # Two first runs at once would install into the same folder: the second waits.
  if command -v flock >/dev/null 2>&1; then
    exec 9>"$root/.venv.lock"; flock 9
    [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$wanted" ] && { exec 9>&-; return 0; }
  fi
  if [ ! -x "$venv/bin/python" ]; then
    make_venv || return 1
  fi
  echo "Installing packages${extras:+ for $extras}..." >&2
  "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --editable "$root${extras:+[$extras]}" >&2 ||
    { echo "Installing failed: ktsim needs the Python package index once; check the connection and run this again." >&2; return 1; }
  echo "$wanted" > "$stamp"
  if command -v flock >/dev/null 2>&1; then exec 9>&-; fi
}
