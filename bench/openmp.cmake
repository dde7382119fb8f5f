# SPDX-License-Identifier: Apache-2.0
# The programs over OpenMP's tasks and openmp/*.cpp are built twice, whatever compiler the tree has:
# by GCC against libgomp and by Clang against libomp; those over OpenCilk by its own compiler.

include(${PROJECT_SOURCE_DIR}/cmake/openmp_programs.cmake)

function(bench_program program source compiler)
  list(TRANSFORM bench_includes PREPEND -I OUTPUT_VARIABLE includes)
  kasuri_compiled_program(${bench_bin}/${program} ${source} ${compiler} ${bench_flags} ${ARGN}
                          ${includes})
  install(PROGRAMS ${bench_bin}/${program} DESTINATION ${bench_installed}/bin)
endfunction()

# The programs of the common model, by a compiler of their own.
function(add_compiled_system system model compiler)
  set(programs)
  bench_definitions(definitions ${system} ${model} "")
  list(TRANSFORM definitions PREPEND -D)
  foreach(problem IN LISTS bench_problems)
    bench_source(source ${problem} ${model} ${model})
    if(source)
      bench_kernel(kernel ${problem})
      bench_program(bench_${problem}_${system} ${source} ${compiler} ${ARGN} ${definitions} ${kernel})
      list(APPEND programs ${bench_bin}/bench_${problem}_${system})
    endif()
  endforeach()
  add_custom_target(bench_${system} ALL DEPENDS ${programs})
endfunction()

function(add_openmp_system system compiler)
  add_compiled_system(${system} openmp ${compiler} ${ARGN})
  set(programs)
  # openmp/ is built for a compiler, not for a runtime: bench/run gives it one after the other.
  string(REPLACE "-openmp" "" name ${system})
  string(REPLACE "llvm" "clang" name ${name})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/openmp/*.cpp)
  foreach(source IN LISTS sources)
    get_filename_component(problem ${source} NAME_WE)
    bench_program(bench_openmp-${problem}_${name} ${source} ${compiler} ${ARGN}
                   -DBENCH_SYSTEM="${name}")
    list(APPEND programs ${bench_bin}/bench_openmp-${problem}_${name})
  endforeach()
  add_custom_target(bench_${system}_runtimes ALL DEPENDS ${programs})
endfunction()

function(find_openmp_system system family)
  kasuri_find_openmp(compiler why BENCH_${system}_COMPILER ${family} ${ARGN})
  if(compiler)
    cmake_parse_arguments(arg "" "" "FLAGS;NAMES" ${ARGN})
    add_openmp_system(${system} ${compiler} ${arg_FLAGS})
  else()
    skip_bench_system(${system} "${why}")
  endif()
endfunction()

# GCC 12 warns of what it makes itself of a scan (loops/openmp.cpp).
find_openmp_system(gcc-openmp GNU NAMES g++ FLAGS -fopenmp -Wno-maybe-uninitialized)
find_openmp_system(llvm-openmp Clang NAMES clang++-19 clang++ FLAGS -fopenmp=libomp)

# OpenCilk is a compiler.
find_program(BENCH_opencilk_COMPILER NAMES opencilk-clang++ PATH_SUFFIXES bin)
if(BENCH_opencilk_COMPILER)
  add_compiled_system(opencilk opencilk ${BENCH_opencilk_COMPILER} -fopencilk)
else()
  skip_bench_system(opencilk "no opencilk-clang++ (BENCH_opencilk_COMPILER names another)")
endif()
