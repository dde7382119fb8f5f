# SPDX-License-Identifier: Apache-2.0
# Toolchain of the wheel: Debian's GCC compiles with the system's headers; the link sees a C library of
# version 2.28 only, in KASURI_WHEEL_SYSROOT (sysroot.py). docs/contributing/wheel.md says why.
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES KASURI_WHEEL_ARCH KASURI_WHEEL_SYSROOT)
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR ${KASURI_WHEEL_ARCH})
set(tools ${KASURI_WHEEL_ARCH}-linux-gnu)
set(CMAKE_C_COMPILER ${tools}-gcc-12)
set(CMAKE_CXX_COMPILER ${tools}-g++-12)
set(CMAKE_ASM_COMPILER ${tools}-gcc-12)

# Nothing in the result may tell where it was built.
set(CMAKE_C_FLAGS_INIT "-ffile-prefix-map=${CMAKE_SOURCE_DIR}=. -ffile-prefix-map=${CMAKE_BINARY_DIR}=build")
set(CMAKE_CXX_FLAGS_INIT "${CMAKE_C_FLAGS_INIT}")

# -B: the linker looks there first, for libraries and for what a program begins with. The names of functions
# stay, for backtraces and `kasuri report`. The linker strips, so that the build id does not depend on lines.
set(link "-B${KASURI_WHEEL_SYSROOT}/ -Wl,--strip-debug -Wl,-z,defs -Wl,--no-allow-shlib-undefined")
string(REPLACE " -Wl,--no-allow-shlib-undefined" "" link_shared "${link}")
set(CMAKE_SHARED_LINKER_FLAGS_INIT "${link_shared}")
# Programs hold their C++ library: there may be none, or an older one, where the wheel is installed.
set(CMAKE_EXE_LINKER_FLAGS_INIT "${link} -static-libstdc++ -static-libgcc")

# Programs of this machine. Libraries lie where pkg-config says, in a folder of archives; the system's own are of this
# machine, and header-only ones the same for all.
set(CMAKE_FIND_ROOT_PATH ${KASURI_WHEEL_SYSROOT})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY BOTH)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE BOTH)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE NEVER)
