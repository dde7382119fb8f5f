# SPDX-License-Identifier: Apache-2.0
# One Rust program holds every problem and learns from its own name which one it is; the names are
# links. Built when cargo and the pinned crates can be had.

find_program(BENCH_CARGO cargo)
if(NOT BENCH_CARGO)
  skip_bench_system(rayon "cargo not found")
  return()
endif()

# Cargo writes its lock file beside the manifest: it works on a copy in the build tree.
set(bench_rayon_source ${CMAKE_CURRENT_SOURCE_DIR}/rayon)
set(bench_rayon_copy ${CMAKE_CURRENT_BINARY_DIR}/rayon)
set(bench_rayon_manifest --manifest-path ${bench_rayon_copy}/Cargo.toml)
file(COPY ${bench_rayon_source}/ DESTINATION ${bench_rayon_copy})
execute_process(COMMAND ${BENCH_CARGO} fetch --quiet ${bench_rayon_manifest}
                TIMEOUT 120 RESULT_VARIABLE bench_rayon_status OUTPUT_QUIET ERROR_QUIET)
if(NOT bench_rayon_status EQUAL 0)
  skip_bench_system(rayon "cargo could not fetch its crates")
  return()
endif()

file(GLOB bench_rayon_files CONFIGURE_DEPENDS ${bench_rayon_source}/Cargo.toml
     ${bench_rayon_source}/src/*.rs)
set(bench_rayon_links)
foreach(problem IN ITEMS bin create create-scale diffuse fib flat latency loops matmul queens sort uts)
  list(APPEND bench_rayon_links COMMAND ${CMAKE_COMMAND} -E create_symlink
       bench_rayon ${bench_bin}/bench_${problem}_rayon)
  install(PROGRAMS ${bench_bin}/bench_${problem}_rayon DESTINATION ${bench_installed}/bin)
endforeach()
add_custom_command(
  OUTPUT ${bench_bin}/bench_rayon
  COMMAND ${CMAKE_COMMAND} -E copy_directory ${bench_rayon_source} ${bench_rayon_copy}
  COMMAND ${BENCH_CARGO} build --quiet --release --offline ${bench_rayon_manifest}
          --target-dir ${bench_rayon_copy}/target
  COMMAND ${CMAKE_COMMAND} -E make_directory ${bench_bin}
  COMMAND ${CMAKE_COMMAND} -E copy ${bench_rayon_copy}/target/release/bench_rayon ${bench_bin}
  ${bench_rayon_links}
  DEPENDS ${bench_rayon_files}
  COMMENT "Building ${bench_bin}/bench_rayon"
  VERBATIM)
install(PROGRAMS ${bench_bin}/bench_rayon DESTINATION ${bench_installed}/bin)
add_custom_target(bench_rayon ALL DEPENDS ${bench_bin}/bench_rayon)
