# SPDX-License-Identifier: Apache-2.0
# Sourced by packaging/apt.sh: what Debian's packages are called by other package managers, to be said and
# not installed. The names are those that published spec files and install guides of 2025 use, not looked up in each
# release; a package without a name here has another one from release to release, or is none of theirs.

# shellcheck disable=SC2034 # by name, in name_for
declare -A names_dnf=([g++]=gcc-c++ [cmake]=cmake [ninja-build]=ninja-build [pkg-config]=pkgconf-pkg-config
  [python3]=python3 [libhwloc-dev]=hwloc-devel [libnuma-dev]=numactl-devel [libcli11-dev]=cli11-devel
  [nlohmann-json3-dev]=json-devel [libdw-dev]=elfutils-devel [libmpich-dev]=mpich-devel
  [libopenmpi-dev]=openmpi-devel [libtbb-dev]=tbb-devel [libbenchmark-dev]=google-benchmark-devel)
declare -A names_zypper=([g++]=gcc-c++ [cmake]=cmake [ninja-build]=ninja [pkg-config]=pkg-config
  [python3]=python3 [libhwloc-dev]=hwloc-devel [libnuma-dev]=libnuma-devel [libcli11-dev]=cli11-devel
  [nlohmann-json3-dev]=nlohmann_json-devel [libdw-dev]=libdw-devel)
declare -A names_pacman=([g++]=gcc [cmake]=cmake [ninja-build]=ninja [pkg-config]=pkgconf [python3]=python
  [libhwloc-dev]=hwloc [libnuma-dev]=numactl [libcli11-dev]=cli11 [nlohmann-json3-dev]=nlohmann-json
  [libdw-dev]=libelf)
declare -A names_apk=([g++]=g++ [cmake]=cmake [ninja-build]=ninja [pkg-config]=pkgconf [python3]=python3
  [libhwloc-dev]=hwloc-dev [libnuma-dev]=numactl-dev [nlohmann-json3-dev]=nlohmann-json)
declare -A command_of=([dnf]="dnf install" [zypper]="zypper install" [pacman]="pacman -S --needed"
  [apk]="apk add")

# The package manager of this system: apt, one of those above, or nothing.
package_manager() {
  local manager
  if command -v dpkg-query >/dev/null && command -v apt-get >/dev/null; then
    echo apt
    return
  fi
  for manager in dnf zypper pacman apk; do
    if command -v "$manager" >/dev/null; then
      echo "$manager"
      return
    fi
  done
}

# names_for PACKAGE...: what this system calls those of Debian that it has; Debian's names where the manager
# is not known.
names_for() {
  local manager package name list=()
  manager=$(package_manager)
  if [[ -z $manager || $manager == apt ]]; then
    echo "$*"
    return
  fi
  local -n names=names_$manager
  for package in "$@"; do
    name=${names[$package]:-}
    [[ -z $name ]] || list+=("$name")
  done
  echo "${list[*]}"
}

# say_how_to_install PACKAGE...: one line, for a system without apt.
say_how_to_install() {
  local manager
  manager=$(package_manager)
  if [[ -z $manager ]]; then
    echo "kasuri: this system has no apt; install the equivalents of: $*" >&2
  else
    echo "kasuri: packages may be missing; run, as root: ${command_of[$manager]} $(names_for "$@")" >&2
  fi
}

# Whether programs of this system use musl.
has_musl() { [[ $(ldd --version 2>&1 || true) == musl* ]]; }
