# SPDX-License-Identifier: Apache-2.0
# What `cmake --install` puts where: headers, both libraries, the CMake package, pkg-config.
# The CMake package has two components: `shared` (the default) needs nothing but threads; `static`
# also needs what the archive was linked with.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/kasuri)

install(DIRECTORY include/kasuri DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN "*.hpp" PATTERN "*.h")
install(TARGETS kasuri EXPORT kasuri-shared)
install(TARGETS kasuri_static EXPORT kasuri-static)
install(EXPORT kasuri-shared NAMESPACE kasuri:: DESTINATION ${package_dir}
  FILE kasuri-shared-targets.cmake)
install(EXPORT kasuri-static NAMESPACE kasuri:: DESTINATION ${package_dir}
  FILE kasuri-static-targets.cmake)

configure_package_config_file(cmake/kasuri-config.cmake.in
  ${PROJECT_BINARY_DIR}/cmake/kasuri-config.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/cmake/kasuri-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES
  ${PROJECT_BINARY_DIR}/cmake/kasuri-config.cmake
  ${PROJECT_BINARY_DIR}/cmake/kasuri-config-version.cmake
  DESTINATION ${package_dir})

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
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# gdb loads a script of this name by itself when it loads the library.
install(FILES tools/gdb/kasuri-gdb.py DESTINATION ${CMAKE_INSTALL_LIBDIR}
  RENAME $<TARGET_FILE_NAME:kasuri>-gdb.py)

install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
