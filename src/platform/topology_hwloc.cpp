// SPDX-License-Identifier: Apache-2.0
// The machine as hwloc sees it; topology_flat.cpp is the twin for builds without hwloc.
#include <hwloc.h>

#include <algorithm>
#include <memory>

#include "platform/cpus.hpp"
#include "platform/topology.hpp"

namespace kasuri::platform {
namespace {

using hwloc_handle = std::unique_ptr<hwloc_topology, decltype(&hwloc_topology_destroy)>;

hwloc_handle load_hwloc() {
  hwloc_topology_t raw = nullptr;
  if (hwloc_topology_init(&raw) != 0) {
    return {nullptr, hwloc_topology_destroy};
  }
  hwloc_handle loaded(raw, hwloc_topology_destroy);
  // What the fields of pu name, and dies and groups: hwloc hangs a NUMA node of several L3s below
  // one of these, and below the whole machine when they are filtered out. Leaving out the rest
  // also keeps hwloc from looking for I/O devices.
  hwloc_topology_set_all_types_filter(raw, HWLOC_TYPE_FILTER_KEEP_NONE);
  for (const hwloc_obj_type_t type :
       {HWLOC_OBJ_PACKAGE, HWLOC_OBJ_DIE, HWLOC_OBJ_L3CACHE, HWLOC_OBJ_CORE}) {
    hwloc_topology_set_type_filter(raw, type, HWLOC_TYPE_FILTER_KEEP_ALL);
  }
  hwloc_topology_set_type_filter(raw, HWLOC_OBJ_GROUP, HWLOC_TYPE_FILTER_KEEP_STRUCTURE);
  // The whole machine, because only that tells a node without CPUs from a node whose CPUs are not
  // ours; and no binding of the calling thread to each CPU in turn to ask it questions.
  hwloc_topology_set_flags(
      raw, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED | HWLOC_TOPOLOGY_FLAG_DONT_CHANGE_BINDING);
  if (hwloc_topology_load(raw) != 0) {
    loaded.reset();
  }
  return loaded;
}

int ancestor_index(hwloc_topology_t machine, hwloc_obj_type_t type, hwloc_obj_t object) {
  const hwloc_obj_t ancestor = hwloc_get_ancestor_obj_by_type(machine, type, object);
  return ancestor == nullptr ? -1 : static_cast<int>(ancestor->logical_index);
}

// Of several local nodes (DRAM and high-bandwidth memory) the first: firmware lists DRAM first.
int nearest_node(hwloc_obj_t object) { return std::max(0, hwloc_bitmap_first(object->nodeset)); }

std::vector<pu> read_pus(hwloc_topology_t machine) {
  std::vector<pu> pus;
  hwloc_obj_t object = nullptr;
  while ((object = hwloc_get_next_obj_by_type(machine, HWLOC_OBJ_PU, object)) != nullptr) {
    pus.push_back({.os_index = static_cast<int>(object->os_index),
                   .core = ancestor_index(machine, HWLOC_OBJ_CORE, object),
                   .l3 = ancestor_index(machine, HWLOC_OBJ_L3CACHE, object),
                   .numa_node = nearest_node(object),
                   .package = ancestor_index(machine, HWLOC_OBJ_PACKAGE, object)});
  }
  return pus;
}

std::vector<numa_node> read_nodes(hwloc_topology_t machine, const std::vector<pu>& pus) {
  const hwloc_const_nodeset_t allowed = hwloc_topology_get_allowed_nodeset(machine);
  std::vector<numa_node> nodes;
  hwloc_obj_t object = nullptr;
  while ((object = hwloc_get_next_obj_by_type(machine, HWLOC_OBJ_NUMANODE, object)) != nullptr) {
    const int index = static_cast<int>(object->os_index);
    nodes.push_back({.os_index = index,
                     .memory_bytes = object->attr->numanode.local_memory,
                     .memory_only = std::ranges::find(pus, index, &pu::numa_node) == pus.end(),
                     .allowed = hwloc_bitmap_isset(allowed, object->os_index) != 0});
  }
  std::ranges::sort(nodes, {}, &numa_node::os_index);
  return nodes;
}

void cut_to_affinity(std::vector<pu>& pus) {
  const std::vector<int> allowed = affinity_cpus();
  std::erase_if(
      pus, [&](const pu& unit) { return !std::ranges::binary_search(allowed, unit.os_index); });
}

}  // namespace

topology read_topology() {
  const hwloc_handle loaded = load_hwloc();
  if (!loaded) {
    return flat_topology();
  }
  topology machine;
  machine.is_this_machine = hwloc_topology_is_thissystem(loaded.get()) != 0;
  machine.pus = read_pus(loaded.get());
  machine.numa_nodes = read_nodes(loaded.get(), machine.pus);
  if (machine.is_this_machine) {
    cut_to_affinity(machine.pus);
  }
  const bool complete = !machine.pus.empty() && !machine.numa_nodes.empty();
  return complete ? machine : flat_topology();
}

}  // namespace kasuri::platform
