# SPDX-License-Identifier: Apache-2.0
# Sourced by docs/site/build and docs/site/check, in the root of the tree: what they run, in build/site-tools.
tools=build/site-tools

# fresh FILE STAMP: FILE is what was installed last.
fresh() { cmp -s "$1" "$2"; }

# The packages of requirements.txt, in a virtual environment.
python_tools() {
  fresh docs/site/requirements.txt "$tools/requirements.txt" && return
  if ! python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
    echo "docs/site: no python3 of version 3.11 or newer, which the packages of requirements.txt need" >&2
    return 1
  fi
  rm -rf "$tools/venv"
  python3 -m venv "$tools/venv"
  "$tools/venv/bin/pip" install --quiet --disable-pip-version-check --no-deps -r docs/site/requirements.txt
  cp docs/site/requirements.txt "$tools/requirements.txt"
}

# The packages of package-lock.json.
node_tools() {
  fresh docs/site/package-lock.json "$tools/node/installed.json" && return
  if ! command -v npm >/dev/null; then
    echo "docs/site: no program npm, which installs what opens the pages" >&2
    return 1
  fi
  mkdir -p "$tools/node"
  cp docs/site/package.json docs/site/package-lock.json "$tools/node/"
  npm ci --prefix "$tools/node" --silent --no-audit --no-fund
  cp docs/site/package-lock.json "$tools/node/installed.json"
}

# The version of the project, as CMakeLists.txt has it.
version() { sed -nE 's/^project\(kasuri VERSION ([0-9.]+).*/\1/p; s/^ *VERSION ([0-9.]+).*/\1/p' CMakeLists.txt | head -n 1; }
