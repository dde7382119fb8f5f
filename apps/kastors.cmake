# SPDX-License-Identifier: Apache-2.0
# Programs in the manner of KASTORS: openmp.cpp of a folder by each compiler, as <folder>_gcc and
# <folder>_clang, and fork_join.cpp over Kasuri's own interface, as <folder>.
include(${PROJECT_SOURCE_DIR}/cmake/openmp_programs.cmake)

# Serial and parallel runs must round alike, whichever products the compiler could fuse.
set(kastors_flags -O3 -g1 -Wall -Wextra -ffp-contract=off)

# Nothing of Kasuri is in them. Empty where a compiler is not there.
function(find_kastors_compiler name family)
  kasuri_find_openmp(compiler why APPS_${name}_COMPILER ${family} ${ARGN})
  if(NOT compiler)
    message(STATUS "apps: OpenMP programs by ${name} left out: ${why}")
  endif()
  set(kastors_${name} ${compiler} PARENT_SCOPE)
endfunction()

# -Wno-restrict: GCC 12 takes std::string + std::string for overlapping copies (its bug 105329).
set(kastors_gcc_flags -fopenmp -Wno-restrict)
set(kastors_clang_flags -fopenmp=libomp)
find_kastors_compiler(gcc GNU FLAGS ${kastors_gcc_flags} NAMES g++)
find_kastors_compiler(clang Clang FLAGS ${kastors_clang_flags} NAMES clang++-19 clang++)

function(add_kastors_program folder)
  foreach(name gcc clang)
    if(kastors_${name})
      set(program ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/${folder}_${name})
      kasuri_compiled_program(${program} ${CMAKE_CURRENT_SOURCE_DIR}/openmp.cpp ${kastors_${name}}
        ${kastors_flags} ${kastors_${name}_flags} -I${PROJECT_SOURCE_DIR})
      add_custom_target(app_${folder}_${name} ALL DEPENDS ${program})
    endif()
  endforeach()
  add_executable(app_${folder} fork_join.cpp)
  set_target_properties(app_${folder} PROPERTIES OUTPUT_NAME ${folder})
  target_include_directories(app_${folder} PRIVATE ${PROJECT_SOURCE_DIR})
  target_compile_options(app_${folder} PRIVATE -ffp-contract=off -fopenmp-simd)
  target_link_libraries(app_${folder} PRIVATE kasuri::kasuri)
endfunction()
