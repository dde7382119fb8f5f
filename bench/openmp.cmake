# SPDX-License-Identifier: Apache-2.0
# The programs over OpenMP's tasks and openmp/*.cpp are built twice, whatever compiler the tree has:
# by GCC against libgomp and by Clang against libomp; those over OpenCilk by its own compiler. Hence
# commands, not targets of the tree's compiler.

function(bench_program program source compiler)
  set(depfile ${CMAKE_CURRENT_BINARY_DIR}/${program}.d)
  set(flags -std=c++20 ${bench_flags} ${ARGN})
  foreach(dir IN LISTS bench_includes)
    list(APPEND flags -I${dir})
  endforeach()
  add_custom_command(
    OUTPUT ${bench_bin}/${program}
    COMMAND ${compiler} ${flags} -MD -MT ${bench_bin}/${program} -MF ${depfile} ${source}
            -o ${bench_bin}/${program}
    DEPENDS ${source}
    DEPFILE ${depfile}
    COMMENT "Building ${bench_bin}/${program}"
    VERBATIM)
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
      bench_program(bench_${problem}_${system} ${source} ${compiler} ${ARGN} ${definitions})
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

# Does this compiler build and link an OpenMP program with these flags?
function(openmp_works compiler result)
  set(probe ${CMAKE_CURRENT_BINARY_DIR}/openmp_probe)
  file(WRITE ${probe}.cpp "#include <omp.h>\nint main() { return omp_get_max_threads() < 1; }\n")
  execute_process(COMMAND ${compiler} ${ARGN} ${probe}.cpp -o ${probe}
                  RESULT_VARIABLE status OUTPUT_QUIET ERROR_QUIET)
  if(status EQUAL 0)
    set(${result} TRUE PARENT_SCOPE)
  else()
    set(${result} FALSE PARENT_SCOPE)
  endif()
endfunction()

# The tree's own compiler where it is of the right family, the named ones otherwise.
function(find_openmp_system system family)
  cmake_parse_arguments(arg "" "" "FLAGS;NAMES" ${ARGN})
  if(CMAKE_CXX_COMPILER_ID STREQUAL family)
    set(compiler ${CMAKE_CXX_COMPILER})
  else()
    find_program(BENCH_${system}_COMPILER NAMES ${arg_NAMES})
    set(compiler ${BENCH_${system}_COMPILER})
  endif()
  if(NOT compiler)
    skip_bench_system(${system} "no compiler found")
    return()
  endif()
  openmp_works(${compiler} works ${arg_FLAGS})
  if(works)
    add_openmp_system(${system} ${compiler} ${arg_FLAGS})
  else()
    skip_bench_system(${system} "${compiler} cannot build a program with ${arg_FLAGS}")
  endif()
endfunction()

find_openmp_system(gcc-openmp GNU NAMES g++ FLAGS -fopenmp)
find_openmp_system(llvm-openmp Clang NAMES clang++-19 clang++ FLAGS -fopenmp=libomp)

# OpenCilk is a compiler.
find_program(BENCH_opencilk_COMPILER NAMES opencilk-clang++ PATH_SUFFIXES bin)
if(BENCH_opencilk_COMPILER)
  add_compiled_system(opencilk opencilk ${BENCH_opencilk_COMPILER} -fopencilk)
else()
  skip_bench_system(opencilk "no opencilk-clang++ (BENCH_opencilk_COMPILER names another)")
endif()
