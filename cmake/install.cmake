# SPDX-License-Identifier: Apache-2.0
# What `cmake --install` puts where: headers, both libraries, the CMake package, pkg-config.
# The CMake package has two components: `shared` (the default) needs nothing but threads; `static`
# also needs what the archive was linked with.
#
# Each rule of the tree names its part, by which packages are made and by which one part can be installed alone
# (`cmake --install build --component tools`): runtime, development, tools, openmp, mpi-mpich, mpi-openmpi, doc, and
# benchmarks, which is in no package.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/kasuri)

install(DIRECTORY include/kasuri DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  COMPONENT development FILES_MATCHING PATTERN "*.hpp" PATTERN "*.h")
install(TARGETS kasuri EXPORT kasuri-shared
  LIBRARY COMPONENT runtime NAMELINK_COMPONENT development)
install(TARGETS kasuri_static EXPORT kasuri-static ARCHIVE COMPONENT development)
install(EXPORT kasuri-shared NAMESPACE kasuri:: DESTINATION ${package_dir}
  FILE kasuri-shared-targets.cmake COMPONENT development)
install(EXPORT kasuri-static NAMESPACE kasuri:: DESTINATION ${package_dir}
  FILE kasuri-static-targets.cmake COMPONENT development)

configure_package_config_file(cmake/kasuri-config.cmake.in
  ${PROJECT_BINARY_DIR}/cmake/kasuri-config.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/cmake/kasuri-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES
  ${PROJECT_BINARY_DIR}/cmake/kasuri-config.cmake
  ${PROJECT_BINARY_DIR}/cmake/kasuri-config-version.cmake
  DESTINATION ${package_dir} COMPONENT development)

# The .pc file finds the tree from its own place, so an installed tree may be moved.
file(RELATIVE_PATH pc_to_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
set(pc_private_libs -lstdc++ -lpthread -ldl)
set(pc_cflags "")
if(KASURI_WITH_LIBCXX)
  set(pc_private_libs -lc++ -lpthread -ldl)
  set(pc_cflags " -DKASURI_WITH_LIBCXX")
endif()
if(KASURI_CONTEXT STREQUAL "fcontext")
  list(PREPEND pc_private_libs -lboost_context)
endif()
list(JOIN pc_private_libs " " pc_private_libs)
configure_file(cmake/kasuri.pc.in ${PROJECT_BINARY_DIR}/cmake/kasuri.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/cmake/kasuri.pc
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)

# gdb loads a script of this name by itself when it loads the library.
set(gdb_dir ${CMAKE_INSTALL_LIBDIR})
if(KASURI_GDB_DIR)
  set(gdb_dir ${KASURI_GDB_DIR})
endif()
install(FILES tools/gdb/kasuri-gdb.py DESTINATION ${gdb_dir}
  RENAME $<TARGET_FILE_NAME:kasuri>-gdb.py COMPONENT runtime)

install(FILES LICENSE README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT doc)
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT doc
  FILES_MATCHING PATTERN "*.md" PATTERN "*.svg" PATTERN "*.png")
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT doc
  FILES_MATCHING PATTERN "*.cpp" PATTERN "*.c" PATTERN "*.f90" PATTERN "*.py")
