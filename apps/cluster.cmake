# SPDX-License-Identifier: Apache-2.0
# Programs over global memory: alone, on threads and on the ranks of a cluster.
add_library(kasuri_cluster_apps STATIC cluster/ranks.cpp cluster/meter.cpp)
target_link_libraries(kasuri_cluster_apps PUBLIC kasuri_apps)

# kasuri_cluster_app(NAME SOURCE...): build/bin/NAME from the folder that calls.
function(kasuri_cluster_app name)
  add_executable(app_${name} ${ARGN})
  set_target_properties(app_${name} PROPERTIES OUTPUT_NAME ${name})
  target_link_libraries(app_${name} PRIVATE kasuri_cluster_apps)
endfunction()

foreach(app IN ITEMS cilksort fmm heat_cluster kmer queens uts)
  add_subdirectory(${app})
endforeach()
