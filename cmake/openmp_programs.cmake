# SPDX-License-Identifier: Apache-2.0
# OpenMP programs of one source file, each built by GCC against libgomp and by Clang against libomp,
# whatever compiler the tree has. Hence commands, not targets of the tree's compiler.

# A command that builds `program` (a path) from `source` by `compiler` with the flags ARGN.
function(kasuri_compiled_program program source compiler)
  get_filename_component(name ${program} NAME)
  set(objects ${ARGN})
  list(FILTER objects INCLUDE REGEX "TARGET_OBJECTS")
  set(depfile ${CMAKE_CURRENT_BINARY_DIR}/${name}.d)
  add_custom_command(
    OUTPUT ${program}
    COMMAND ${compiler} -std=c++20 ${ARGN} -MD -MT ${program} -MF ${depfile} ${source} -o ${program}
    DEPENDS ${source} ${objects}
    DEPFILE ${depfile}
    COMMENT "Building ${program}"
    VERBATIM)
endfunction()

# Does this compiler build and link an OpenMP program with these flags?
function(kasuri_openmp_works compiler result)
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

# A compiler of the family (GNU, Clang) that builds OpenMP programs with FLAGS: the tree's own where
# it is one, else the first of NAMES that is found and kept in the cache as `variable`. Empty where
# there is none; `why` then says so.
function(kasuri_find_openmp result why variable family)
  cmake_parse_arguments(arg "" "" "FLAGS;NAMES" ${ARGN})
  if(CMAKE_CXX_COMPILER_ID STREQUAL family)
    set(compiler ${CMAKE_CXX_COMPILER})
  else()
    find_program(${variable} NAMES ${arg_NAMES})
    set(compiler ${${variable}})
  endif()
  set(${result} "" PARENT_SCOPE)
  if(NOT compiler)
    set(${why} "no compiler found" PARENT_SCOPE)
    return()
  endif()
  kasuri_openmp_works(${compiler} works ${arg_FLAGS})
  if(works)
    set(${result} ${compiler} PARENT_SCOPE)
  else()
    set(${why} "${compiler} cannot build a program with ${arg_FLAGS}" PARENT_SCOPE)
  endif()
endfunction()
