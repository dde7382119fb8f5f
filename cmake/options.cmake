# SPDX-License-Identifier: Apache-2.0
# Every switch of the build. An unusable value stops the configuration and names what is accepted.

option(KASURI_TOOLS "Build the kasuri command" ${PROJECT_IS_TOP_LEVEL})
option(KASURI_BENCH "Build the benchmarks" ${PROJECT_IS_TOP_LEVEL})
option(KASURI_APPS "Build the applications" ${PROJECT_IS_TOP_LEVEL})
option(KASURI_EXAMPLES "Build the examples and the quickstart demo" ${PROJECT_IS_TOP_LEVEL})
option(KASURI_TESTS "Build the tests (needs GoogleTest)" ${PROJECT_IS_TOP_LEVEL})
option(KASURI_HOUSE_TESTS "Test also what one tree shows for all: sources, package, models" ON)
option(KASURI_HWLOC "Let HWLOC_SYNTHETIC and the like describe the machine (needs hwloc's headers)" ON)

function(kasuri_choice name default help)
  set(${name} ${default} CACHE STRING "${help}: ${ARGN}")
  set_property(CACHE ${name} PROPERTY STRINGS ${ARGN})
  if(NOT "${${name}}" IN_LIST ARGN)
    list(JOIN ARGN ", " accepted)
    message(FATAL_ERROR "${name}=${${name}}: not known; accepted: ${accepted}")
  endif()
endfunction()

# A compiler reads a header once for so many files: an instrumented tree takes two fifths of the time. `tools`: those of
# the tools and the tests.
kasuri_choice(KASURI_UNITY none "Compile sources in batches" none tools all)

set(KASURI_LEAVE_OUT "" CACHE STRING "Unit tests not to build, by their folders below tests/unit; empty: none")

# A distribution's gdb trusts the scripts of one folder only, which is not the libraries'.
set(KASURI_GDB_DIR "" CACHE STRING "Where gdb's script is installed; empty: beside the library")

set(KASURI_STDEXEC "" CACHE PATH "A source tree of stdexec, to test its adapter; empty: not tested")
set(KASURI_PARLAY "" CACHE PATH "A source tree of parlaylib, to test its adapter and the ports; empty: not tested")

kasuri_choice(KASURI_SANITIZE none "Instrument everything built here" none address thread)

# Which invariants run (src/platform/base/expect.hpp): all where errors are looked for, none where speed counts.
set(expectations off)
if(CMAKE_BUILD_TYPE STREQUAL "Debug" OR NOT KASURI_SANITIZE STREQUAL "none")
  set(expectations all)
endif()
kasuri_choice(KASURI_EXPECT ${expectations} "Invariants that run" off cheap all)

# The context switch: our assembly where we have it, Boost.Context's elsewhere.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|amd64|AMD64)$")
  set(KASURI_ASSEMBLY switch_x86_64.S)
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$")
  set(KASURI_ASSEMBLY switch_aarch64.S)
endif()
if(DEFINED KASURI_ASSEMBLY)
  kasuri_choice(KASURI_CONTEXT asm "Context switch" asm fcontext)
else()
  kasuri_choice(KASURI_CONTEXT fcontext "Context switch" fcontext)
endif()

# The OpenMP front end needs GNU symbol versions and a few lines of assembly.
if(CMAKE_SYSTEM_NAME STREQUAL "Linux" AND DEFINED KASURI_ASSEMBLY)
  set(have_openmp ON)
else()
  set(have_openmp OFF)
endif()
option(KASURI_OPENMP "Build the OpenMP runtime (Linux on x86-64 or AArch64)"
  ${have_openmp})
if(KASURI_OPENMP AND NOT have_openmp)
  message(FATAL_ERROR "KASURI_OPENMP=ON: only for Linux on x86-64 or AArch64; accepted here: OFF")
endif()

# The cluster front end: Linux, for futexes and memfd.
set(have_cluster OFF)
if(CMAKE_SYSTEM_NAME STREQUAL "Linux" AND NOT CMAKE_CROSSCOMPILING)
  set(have_cluster ON)
endif()
option(KASURI_CLUSTER "Build the cluster front end (Linux)" ${have_cluster})

# Modules are a compiler's own: the one that is found here makes those that are installed.
kasuri_choice(KASURI_FORTRAN auto "Build the Fortran modules; auto: where there is a compiler" auto ON OFF)

# Libraries from which examples/ports has programs, beside oneTBB and OpenMP, which are looked for.
set(KASURI_TASKFLOW "" CACHE PATH "The folder that holds taskflow/taskflow.hpp, for examples/ports")
option(KASURI_RAYON "Build the programs of examples/ports that use Rayon, by cargo, which fetches it" OFF)
