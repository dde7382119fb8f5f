# SPDX-License-Identifier: Apache-2.0
# One Go program holds every problem on goroutines and learns from its own name which one it is; the
# names are links. It needs nothing but Go itself.

find_program(BENCH_GO go)
if(NOT BENCH_GO)
  skip_bench_system(goroutines "go not found")
  return()
endif()

set(bench_go_source ${CMAKE_CURRENT_SOURCE_DIR}/goroutines)
file(GLOB bench_go_files CONFIGURE_DEPENDS ${bench_go_source}/*.go ${bench_go_source}/*.s
     ${bench_go_source}/go.mod)
set(bench_go_links)
foreach(problem IN ITEMS bin create create-scale diffuse fib latency queens uts)
  list(APPEND bench_go_links COMMAND ${CMAKE_COMMAND} -E create_symlink
       bench_goroutines ${bench_bin}/bench_${problem}_goroutines)
  install(PROGRAMS ${bench_bin}/bench_${problem}_goroutines DESTINATION ${bench_installed}/bin)
endforeach()
install(PROGRAMS ${bench_bin}/bench_goroutines DESTINATION ${bench_installed}/bin)
add_custom_command(
  OUTPUT ${bench_bin}/bench_goroutines
  COMMAND ${CMAKE_COMMAND} -E make_directory ${bench_bin}
  COMMAND ${CMAKE_COMMAND} -E env GOFLAGS=-mod=mod GOTOOLCHAIN=local
          GOCACHE=${CMAKE_CURRENT_BINARY_DIR}/go ${BENCH_GO} build -C ${bench_go_source}
          -o ${bench_bin}/bench_goroutines
  ${bench_go_links}
  DEPENDS ${bench_go_files}
  COMMENT "Building ${bench_bin}/bench_goroutines"
  VERBATIM)
add_custom_target(bench_goroutines ALL DEPENDS ${bench_bin}/bench_goroutines)
