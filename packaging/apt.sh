# SPDX-License-Identifier: Apache-2.0
# Sourced by ./quickstart and ./check: installs Debian or Ubuntu packages without asking anything.
source packaging/managers.sh

missing_packages() {
  local package
  for package in "$@"; do
    [[ $(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) == installed ]] ||
      echo "$package"
  done
}

# Runs apt-get as root; its output goes to the log only.
apt_get() {
  local log=$1 as_root=()
  shift
  ((EUID == 0)) || as_root=(sudo -n)
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get -qq -o DPkg::Lock::Timeout=120 "$@" >>"$log" 2>&1 </dev/null
}

# need PACKAGE...: installs what is missing of these, or says what is missing and fails.
need() {
  if [[ $(package_manager) != apt ]]; then
    say_how_to_install "$@"
    return 1
  fi
  local missing log
  mapfile -t missing < <(missing_packages "$@")
  ((${#missing[@]})) || return 0
  if ((EUID != 0)) && ! sudo -n true 2>/dev/null; then
    echo "kasuri: packages are missing, and installing them needs root or sudo without a" \
      "password; run: sudo apt-get install ${missing[*]}" >&2
    return 1
  fi
  echo "installing packages: ${missing[*]}"
  log=$(mktemp)
  # An update may fail in part where the lists at hand still suffice: the install decides.
  apt_get "$log" update || true
  if ! apt_get "$log" install -y --no-install-recommends "${missing[@]}"; then
    mapfile -t missing < <(missing_packages "${missing[@]}")
    tail -n 5 "$log" >&2
    echo "kasuri: apt could not install: ${missing[*]} (whole log: $log)" >&2
    return 1
  fi
  rm -f "$log"
}
