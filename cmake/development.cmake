# SPDX-License-Identifier: Apache-2.0
# What holds for our own tree and never reaches a consumer: language level, warnings, debug
# information, where programs are put, sanitizers.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)

# Programs need the C++ library that Kasuri was built with (detail/cxx_library.hpp).
include(CheckCXXSymbolExists)
check_cxx_symbol_exists(_LIBCPP_VERSION version KASURI_WITH_LIBCXX)
if(KASURI_WITH_LIBCXX)
  add_compile_definitions(KASURI_WITH_LIBCXX)
endif()

# Files of a folder become one source, a batch: the compiler reads their headers once. A name that two
# of its files hide is refused there.
function(kasuri_compile_in_batches)
  set(CMAKE_UNITY_BUILD ON PARENT_SCOPE)
  set(CMAKE_UNITY_BUILD_BATCH_SIZE 12 PARENT_SCOPE)
  add_compile_options($<$<COMPILE_LANGUAGE:C,CXX>:-Wno-shadow>)  # a local name, and one of another file
endfunction()

# The level as a number: the order of expect_level in src/platform/base/expect.hpp.
set(levels off cheap all)
list(FIND levels ${KASURI_EXPECT} level)
add_compile_definitions(KASURI_EXPECT_LEVEL=${level})

# Whether a library or program may hold its C++ library inside. Instrumented ones share the program's.
set(KASURI_CXX_INSIDE OFF)
if(KASURI_SANITIZE STREQUAL "none" AND NOT KASURI_WITH_LIBCXX)
  execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=libstdc++.a
    OUTPUT_VARIABLE archive OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(IS_ABSOLUTE "${archive}")
    set(KASURI_CXX_INSIDE ON)
  else()
    message(STATUS "kasuri: no libstdc++.a (libstdc++-static): the OpenMP library needs the system's "
      "libstdc++, and programs with an older one of their own cannot be run on it")
  endif()
endif()

# What is installed is the same to the bit wherever it was built (packaging/reproducible): line tables and messages
# name the sources below this folder, which a debugger may be told the place of (docs/how-to/debugging.md).
# Called in the folders whose targets are installed; other configurations are for those who work on the tree.
set(KASURI_NAMED_SOURCES /usr/src/kasuri-${PROJECT_VERSION})
macro(kasuri_same_bits_everywhere)
  add_compile_options(
    "$<$<CONFIG:Release>:-ffile-prefix-map=${PROJECT_SOURCE_DIR}=${KASURI_NAMED_SOURCES}>"
    # Behind the other: the later one wins where a build tree lies in the sources.
    "$<$<CONFIG:Release>:-ffile-prefix-map=${PROJECT_BINARY_DIR}=${KASURI_NAMED_SOURCES}/build>")
  foreach(language C CXX)
    set(CMAKE_${language}_ARCHIVE_CREATE "<CMAKE_AR> qcD <TARGET> <LINK_FLAGS> <OBJECTS>")  # D: no times, no owners
    set(CMAKE_${language}_ARCHIVE_FINISH "<CMAKE_RANLIB> -D <TARGET>")
  endforeach()
endmacro()

if(PROJECT_IS_TOP_LEVEL)
  if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Release, Debug, RelWithDebInfo" FORCE)
  endif()
  set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
  set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
  set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
  set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)

  add_compile_options(
    $<$<COMPILE_LANGUAGE:C,CXX>:-Wall> $<$<COMPILE_LANGUAGE:C,CXX>:-Wextra>
    $<$<COMPILE_LANGUAGE:C,CXX>:-Wshadow>
    # Line tables also in the optimised build: backtraces and gdb name the source.
    $<$<CONFIG:Release>:-g1>)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    # GCC 12 takes std::string + std::string for overlapping copies at -O3 (its bug 105329).
    add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-Wno-restrict>)
  endif()
endif()

# Behind the warnings: of two options, the later one wins.
if(KASURI_UNITY STREQUAL "all")
  kasuri_compile_in_batches()
endif()

if(KASURI_SANITIZE STREQUAL "address")
  set(flags -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
elseif(KASURI_SANITIZE STREQUAL "thread")
  set(flags -fsanitize=thread -fno-omit-frame-pointer)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # GCC warns at every atomic_thread_fence that TSan does not model it; the tests know.
    list(APPEND flags -Wno-tsan)
  endif()
endif()
if(NOT KASURI_SANITIZE STREQUAL "none")
  # Line tables are all that reports need, and instrumented code compiles twice as fast so.
  list(APPEND flags -O1 -g1)
  add_compile_options("$<$<COMPILE_LANGUAGE:C,CXX>:${flags}>")
  add_link_options(${flags})
endif()
