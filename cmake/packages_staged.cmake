# SPDX-License-Identifier: Apache-2.0
# Called by cpack when the files to be packed lie in folders, one a part: adds what a kind of package wants in each,
# and takes from the archive of the library what only a debugger of Kasuri itself would read.
set(root ${CPACK_TEMPORARY_DIRECTORY})
file(GLOB_RECURSE archives ${root}/libkasuri.a)
foreach(archive IN LISTS archives)
  execute_process(COMMAND strip --strip-debug --enable-deterministic-archives ${archive} COMMAND_ERROR_IS_FATAL ANY)
endforeach()

set(licence ${CPACK_RESOURCE_FILE_LICENSE})
cmake_path(GET licence PARENT_PATH source)
set(debian ${source}/packaging/debian)

# What Debian wants in each package.
function(add_debian_files usr package)
  set(doc ${usr}/share/doc/${package})
  file(MAKE_DIRECTORY ${doc})
  file(COPY_FILE ${debian}/copyright ${doc}/copyright)
  execute_process(COMMAND gzip -9nc ${debian}/changelog OUTPUT_FILE ${doc}/changelog.Debian.gz
    COMMAND_ERROR_IS_FATAL ANY)
  set(overrides ${debian}/${package}.lintian-overrides)
  if(EXISTS ${overrides})
    file(MAKE_DIRECTORY ${usr}/share/lintian/overrides)
    file(COPY_FILE ${overrides} ${usr}/share/lintian/overrides/${package})
  endif()
endfunction()

foreach(entry IN LISTS CPACK_KASURI_PACKAGES)
  string(REGEX MATCH "^(.*)=(.*)=(.*)$" matched ${entry})
  set(usr ${root}/${CMAKE_MATCH_1}/usr)
  set(deb ${CMAKE_MATCH_2})
  set(rpm ${CMAKE_MATCH_3})
  if(CPACK_GENERATOR STREQUAL "DEB")
    add_debian_files(${usr} ${deb})
    file(REMOVE ${usr}/share/doc/kasuri/LICENSE)  # the same as copyright
  elseif(CPACK_GENERATOR STREQUAL "RPM")
    file(MAKE_DIRECTORY ${usr}/share/licenses/${rpm})
    file(COPY_FILE ${licence} ${usr}/share/licenses/${rpm}/LICENSE)
    file(REMOVE ${usr}/share/doc/kasuri/LICENSE)
  endif()
endforeach()
