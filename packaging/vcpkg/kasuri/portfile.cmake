# SPDX-License-Identifier: Apache-2.0
# As an overlay, from the tree that the port lies in: vcpkg install kasuri --overlay-ports=packaging/vcpkg
get_filename_component(SOURCE_PATH "${CURRENT_PORT_DIR}/../../.." ABSOLUTE)

vcpkg_check_features(OUT_FEATURE_OPTIONS FEATURE_OPTIONS
    FEATURES
        cluster KASURI_CLUSTER
        hwloc   KASURI_HWLOC
        openmp  KASURI_OPENMP
        tools   KASURI_TOOLS
)

# Programs lie in a folder of their own, from which the command finds the other parts.
vcpkg_cmake_configure(
    SOURCE_PATH "${SOURCE_PATH}"
    OPTIONS
        -DKASURI_TESTS=OFF
        -DKASURI_BENCH=OFF
        -DKASURI_APPS=OFF
        -DKASURI_EXAMPLES=OFF
        -DKASURI_MPICC_mpich=OFF
        -DKASURI_MPICC_openmpi=OFF
        "-DCMAKE_INSTALL_BINDIR=tools/${PORT}"
        "-DCMAKE_INSTALL_LIBEXECDIR=tools/${PORT}"
        ${FEATURE_OPTIONS}
    OPTIONS_DEBUG
        -DKASURI_OPENMP=OFF
        -DKASURI_TOOLS=OFF
    MAYBE_UNUSED_VARIABLES
        KASURI_MPICC_mpich
        KASURI_MPICC_openmpi
)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/kasuri)
vcpkg_fixup_pkgconfig()

# Both libraries are built; the triplet says which one is wanted.
set(unwanted "libkasuri.a")
if(VCPKG_LIBRARY_LINKAGE STREQUAL "static")
    set(unwanted "libkasuri.so*")
endif()
file(GLOB files "${CURRENT_PACKAGES_DIR}/lib/${unwanted}" "${CURRENT_PACKAGES_DIR}/debug/lib/${unwanted}")
file(REMOVE_RECURSE ${files}
    "${CURRENT_PACKAGES_DIR}/debug/include"
    "${CURRENT_PACKAGES_DIR}/debug/share"
    "${CURRENT_PACKAGES_DIR}/share/doc"
)

file(INSTALL "${CMAKE_CURRENT_LIST_DIR}/usage" DESTINATION "${CURRENT_PACKAGES_DIR}/share/${PORT}")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
