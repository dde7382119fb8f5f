# SPDX-License-Identifier: Apache-2.0
# What `cpack` makes of the parts that install.cmake names: a .deb or .rpm for each, one archive of all of them.
# packaging/packages calls it: a form needs its own folders for libraries. docs/contributing/packages.md.

# Of the soname, as Debian's policy wants: two that differ in it can be installed beside each other.
set(library_package libkasuri${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
set(this_release "${PROJECT_VERSION}-1")

set(CPACK_PACKAGE_NAME kasuri)
set(CPACK_PACKAGE_VENDOR "Kasuri maintainers")
set(CPACK_PACKAGE_CONTACT "Kasuri maintainers <noreply@github.com>")
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
# Its default: cpack would put another one before the summary of each package.
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${CMAKE_PROJECT_NAME} built using CMake")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_RESOURCE_FILE_README ${PROJECT_SOURCE_DIR}/README.md)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE
  GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/packages_staged.cmake)
set(CPACK_THREADS 0)

# One archive, which works wherever it is unpacked.
string(TOLOWER "${CMAKE_SYSTEM_NAME}" system)
set(CPACK_PACKAGE_FILE_NAME kasuri-${PROJECT_VERSION}-${system}-${CMAKE_SYSTEM_PROCESSOR})

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)

set(CPACK_RPM_COMPONENT_INSTALL ON)
set(CPACK_RPM_FILE_NAME RPM-DEFAULT)
set(CPACK_RPM_PACKAGE_RELEASE 1)
set(CPACK_RPM_PACKAGE_LICENSE Apache-2.0)
set(CPACK_RPM_SPEC_MORE_DEFINE "%global packager ${CPACK_PACKAGE_CONTACT}")
# The folders that every system has are not ours.
set(CPACK_RPM_EXCLUDE_FROM_AUTO_FILELIST_ADDITION
  /usr/share/doc /usr/share/gdb /usr/share/gdb/auto-load /usr/share/gdb/auto-load/usr
  /usr/share/gdb/auto-load/usr/${CMAKE_INSTALL_LIBDIR} /usr/share/licenses /usr/libexec
  /usr/${CMAKE_INSTALL_LIBDIR} /usr/${CMAKE_INSTALL_LIBDIR}/cmake /usr/${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# PART PACKAGE SUMMARY DESCRIPTION [LIBRARY] [DEVELOPMENT] [INDEPENDENT]
#   [RECOMMENDS P...] [SUGGESTS P...] [ENHANCES P...]: a package of one part. LIBRARY: it needs the library of
# the very same build. DEVELOPMENT, INDEPENDENT: in Debian's section of that name; the same on every CPU.
set(CPACK_COMPONENTS_ALL)
macro(kasuri_package part package summary description)
  cmake_parse_arguments(arg "LIBRARY;DEVELOPMENT;INDEPENDENT" "" "RECOMMENDS;SUGGESTS;ENHANCES" ${ARGN})
  list(APPEND CPACK_COMPONENTS_ALL ${part})
  string(TOUPPER ${part} PART)
  set(CPACK_COMPONENT_${PART}_DESCRIPTION "${description}")
  set(CPACK_DEBIAN_${PART}_PACKAGE_NAME ${package})
  set(CPACK_DEBIAN_${PART}_DESCRIPTION "${summary}\n${description}")
  set(CPACK_DEBIAN_${PART}_PACKAGE_SECTION libs)
  if(arg_DEVELOPMENT)
    set(CPACK_DEBIAN_${PART}_PACKAGE_SECTION libdevel)
  endif()
  if(arg_INDEPENDENT)
    set(CPACK_DEBIAN_${PART}_PACKAGE_SECTION doc)
    set(CPACK_DEBIAN_${PART}_PACKAGE_ARCHITECTURE all)
    set(CPACK_RPM_${part}_PACKAGE_ARCHITECTURE noarch)
  else()
    set(CPACK_DEBIAN_${PART}_PACKAGE_SHLIBDEPS ON)
  endif()
  if(arg_LIBRARY)
    set(CPACK_DEBIAN_${PART}_PACKAGE_DEPENDS "${library_package} (= ${this_release})")
    set(CPACK_RPM_${part}_PACKAGE_REQUIRES "libkasuri = ${this_release}")
  endif()
  foreach(kind IN ITEMS RECOMMENDS SUGGESTS ENHANCES)
    list(JOIN arg_${kind} ", " list)
    set(CPACK_DEBIAN_${PART}_PACKAGE_${kind} "${list}")
  endforeach()

  string(REGEX REPLACE "^(lib.*)-dev$" "\\1-devel" rpm_package ${package})
  string(REGEX REPLACE "^libkasuri[0-9.]+$" "libkasuri" rpm_package ${rpm_package})
  set(CPACK_RPM_${part}_PACKAGE_NAME ${rpm_package})
  list(APPEND CPACK_KASURI_PACKAGES "${part}=${package}=${rpm_package}")
  set(CPACK_RPM_${part}_PACKAGE_SUMMARY "${summary}")
  set(CPACK_RPM_${part}_PACKAGE_DESCRIPTION "${description}")
endmacro()

kasuri_package(runtime ${library_package} "task-parallel runtime for C++20, C and Fortran"
  "Fork-join tasks, lightweight threads, parallel loops and arrays over several
machines. All parts of a process share one pool with a worker for each core,
and a task that waits does not hold its worker."
  SUGGESTS libhwloc15)
# Of the library alone: cpack itself would name the OpenMP part as a package of libgomp.so.1.
set(control ${PROJECT_BINARY_DIR}/packages)
file(WRITE ${control}/shlibs
  "libkasuri ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR} ${library_package} (>= ${PROJECT_VERSION})\n")
file(WRITE ${control}/triggers "activate-noawait ldconfig\n")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_CONTROL_EXTRA ${control}/shlibs ${control}/triggers)
file(WRITE ${control}/ldconfig "/sbin/ldconfig\n")
set(CPACK_RPM_runtime_POST_INSTALL_SCRIPT_FILE ${control}/ldconfig)
set(CPACK_RPM_runtime_POST_UNINSTALL_SCRIPT_FILE ${control}/ldconfig)
kasuri_package(development libkasuri-dev "headers and archive of the task-parallel runtime Kasuri"
  "What is needed to build programs with Kasuri: headers for C++20 and C, the
archive, the package for CMake and the file for pkg-config."
  LIBRARY DEVELOPMENT RECOMMENDS kasuri-tools SUGGESTS kasuri-doc)
if(TARGET kasuri_command)
  kasuri_package(tools kasuri-tools "command of the task-parallel runtime Kasuri"
    "The command kasuri: it runs unmodified OpenMP programs on Kasuri, says why a
program does not scale and how fast it would be on a larger machine, shows
what it sees of the machine and turns recordings into traces."
    RECOMMENDS kasuri-openmp SUGGESTS kasuri-doc)
  set(CPACK_DEBIAN_TOOLS_PACKAGE_SECTION devel)
endif()
if(TARGET kasuri_omp)
  kasuri_package(openmp kasuri-openmp "OpenMP runtime of Kasuri for unmodified programs"
    "A library that has the interfaces of libgomp and of libomp. Programs that were
compiled by GCC or Clang use it when they are started by kasuri run. It lies in
a folder of its own, where no other program finds it."
    RECOMMENDS kasuri-tools)
  # Not under the soname that it shares with GCC's library: who needs that one is not to get this one.
  set(CPACK_RPM_openmp_PACKAGE_AUTOPROV no)
endif()
foreach(mpi IN ITEMS mpich openmpi)
  if(TARGET kasuri_mpi_${mpi})
    set(mpi_title MPICH)
    if(mpi STREQUAL "openmpi")
      set(mpi_title "Open MPI")
    endif()
    kasuri_package(mpi-${mpi} kasuri-mpi-${mpi} "module of Kasuri for ranks of ${mpi_title}"
      "A module that the library loads in programs which ${mpi_title} has started on
several machines: their arrays lie in one address space, and their tasks
travel between the ranks."
      LIBRARY ENHANCES ${library_package})
    string(TOUPPER mpi-${mpi} PART)
    set(CPACK_DEBIAN_${PART}_PACKAGE_CONTROL_EXTRA ${control}/triggers)
    set(CPACK_RPM_mpi-${mpi}_PACKAGE_AUTOPROV no)
  endif()
endforeach()
kasuri_package(doc kasuri-doc "documentation and examples of the task-parallel runtime Kasuri"
  "The tutorial, answers to how-to questions, the settings, the design, and short
programs." INDEPENDENT)

include(CPack)
