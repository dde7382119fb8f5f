# SPDX-License-Identifier: Apache-2.0
# The originals in Rust: built by cargo, which brings Rayon, where KASURI_RAYON is ON.
if(NOT KASURI_RAYON)
  leave_out(rayon "KASURI_RAYON is OFF (cmake/options.cmake)")
  return()
endif()
find_program(KASURI_CARGO cargo REQUIRED)

# Cargo writes its lock file beside the manifest: it works on a copy in the build tree.
set(copy ${CMAKE_CURRENT_BINARY_DIR}/rayon)
set(built)
set(targets)
file(GLOB originals RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} */rayon.rs)
foreach(original IN LISTS originals)
  cmake_path(GET original PARENT_PATH program)
  list(APPEND built ${copy}/target/release/${program})
  add_comparison(${program} rayon ${copy}/target/release/${program})
endforeach()
add_custom_command(OUTPUT ${built}
  COMMAND ${CMAKE_COMMAND} -E make_directory ${copy}
  COMMAND ${CMAKE_COMMAND} -E copy ${CMAKE_CURRENT_SOURCE_DIR}/Cargo.toml ${copy}
  COMMAND ${CMAKE_COMMAND} -E copy_directory ${CMAKE_CURRENT_SOURCE_DIR}/words ${copy}/words
  COMMAND ${CMAKE_COMMAND} -E copy_directory ${CMAKE_CURRENT_SOURCE_DIR}/primes ${copy}/primes
  COMMAND ${KASURI_CARGO} build --quiet --release --manifest-path ${copy}/Cargo.toml
  DEPENDS ${originals} Cargo.toml VERBATIM)
add_custom_target(ports_rayon ALL DEPENDS ${built})
