// SPDX-License-Identifier: Apache-2.0
// A machine that is described to hwloc by its variables. hwloc is loaded for it, and only then: a
// program without such a description gets no library but the C library's by using Kasuri.
// topology_flat.cpp is the twin for builds without hwloc.
#include <dlfcn.h>
#include <hwloc.h>

#include <algorithm>
#include <memory>

#include "platform/base/fatal.hpp"
#include "platform/cpu/topology.hpp"

namespace kasuri::platform {
namespace {

// Of the interface that the header describes (hwloc 2).
constexpr const char* library_name = "libhwloc.so.15";

/// The functions of hwloc that are used here. The library stays loaded.
class hwloc_calls {
  void* library_;  // before the functions, which are found in it
  bool complete_ = true;

 public:
#define KASURI_HWLOC_CALL(name) \
  decltype(&hwloc_##name) name = find<decltype(&hwloc_##name)>("hwloc_" #name)
  KASURI_HWLOC_CALL(topology_init);
  KASURI_HWLOC_CALL(topology_destroy);
  KASURI_HWLOC_CALL(topology_load);
  KASURI_HWLOC_CALL(topology_set_all_types_filter);
  KASURI_HWLOC_CALL(topology_set_type_filter);
  KASURI_HWLOC_CALL(topology_set_flags);
  KASURI_HWLOC_CALL(topology_is_thissystem);
  KASURI_HWLOC_CALL(topology_get_allowed_nodeset);
  KASURI_HWLOC_CALL(get_type_depth);
  KASURI_HWLOC_CALL(get_obj_by_depth);
  KASURI_HWLOC_CALL(bitmap_first);
  KASURI_HWLOC_CALL(bitmap_isset);
#undef KASURI_HWLOC_CALL

  /// Null, after one line that says so, where the library cannot be loaded.
  static const hwloc_calls* get() {
    static void* const library = ::dlopen(library_name, RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
      warn("%s is set, but %s cannot be loaded: the machine is taken to be flat",
           variable_for_hwloc(), library_name);
      return nullptr;
    }
    static const hwloc_calls calls(library);
    if (calls.complete_) return &calls;
    warn("%s is set, but %s lacks functions of hwloc 2: the machine is taken to be flat",
         variable_for_hwloc(), library_name);
    return nullptr;
  }

 private:
  explicit hwloc_calls(void* library) : library_(library) {}

  template <class Function>
  Function find(const char* name) {
    void* const found = ::dlsym(library_, name);
    complete_ = complete_ && found != nullptr;
    return reinterpret_cast<Function>(found);
  }
};

using hwloc_handle = std::unique_ptr<hwloc_topology, decltype(&hwloc_topology_destroy)>;

hwloc_handle load_hwloc(const hwloc_calls& hwloc) {
  hwloc_topology_t raw = nullptr;
  if (hwloc.topology_init(&raw) != 0) {
    return {nullptr, hwloc.topology_destroy};
  }
  hwloc_handle loaded(raw, hwloc.topology_destroy);
  // Keeps what the fields of pu name, and dies and groups: hwloc hangs a NUMA node of several L3s
  // below one of these, and below the whole machine when they are filtered out. Leaving out the
  // rest also keeps hwloc from looking for I/O devices.
  hwloc.topology_set_all_types_filter(raw, HWLOC_TYPE_FILTER_KEEP_NONE);
  for (const hwloc_obj_type_t type :
       {HWLOC_OBJ_PACKAGE, HWLOC_OBJ_DIE, HWLOC_OBJ_L3CACHE, HWLOC_OBJ_CORE}) {
    hwloc.topology_set_type_filter(raw, type, HWLOC_TYPE_FILTER_KEEP_ALL);
  }
  hwloc.topology_set_type_filter(raw, HWLOC_OBJ_GROUP, HWLOC_TYPE_FILTER_KEEP_STRUCTURE);
  // The whole machine, because only that tells a node without CPUs from a node whose CPUs are not
  // ours; and no binding of the calling thread to each CPU in turn to ask it questions.
  hwloc.topology_set_flags(
      raw, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED | HWLOC_TOPOLOGY_FLAG_DONT_CHANGE_BINDING);
  if (hwloc.topology_load(raw) != 0) {
    loaded.reset();
  }
  return loaded;
}

int ancestor_index(hwloc_obj_type_t type, hwloc_obj_t object) {
  while (object != nullptr && object->type != type) {
    object = object->parent;
  }
  return object == nullptr ? -1 : static_cast<int>(object->logical_index);
}

// Of several local nodes (DRAM and high-bandwidth memory) the first: firmware lists DRAM first.
int nearest_node(const hwloc_calls& hwloc, hwloc_obj_t object) {
  return std::max(0, hwloc.bitmap_first(object->nodeset));
}

template <class Visit>
void for_each(const hwloc_calls& hwloc, hwloc_topology_t machine, hwloc_obj_type_t type,
              Visit visit) {
  const int depth = hwloc.get_type_depth(machine, type);
  for (unsigned i = 0;; ++i) {
    const hwloc_obj_t object = hwloc.get_obj_by_depth(machine, depth, i);
    if (object == nullptr) {
      return;
    }
    visit(object);
  }
}

std::vector<pu> read_pus(const hwloc_calls& hwloc, hwloc_topology_t machine) {
  std::vector<pu> pus;
  for_each(hwloc, machine, HWLOC_OBJ_PU, [&](hwloc_obj_t object) {
    pus.push_back({.os_index = static_cast<int>(object->os_index),
                   .core = ancestor_index(HWLOC_OBJ_CORE, object),
                   .l3 = ancestor_index(HWLOC_OBJ_L3CACHE, object),
                   .numa_node = nearest_node(hwloc, object),
                   .package = ancestor_index(HWLOC_OBJ_PACKAGE, object)});
  });
  return pus;
}

std::vector<numa_node> read_nodes(const hwloc_calls& hwloc, hwloc_topology_t machine,
                                  const std::vector<pu>& pus) {
  const hwloc_const_nodeset_t allowed = hwloc.topology_get_allowed_nodeset(machine);
  std::vector<numa_node> nodes;
  for_each(hwloc, machine, HWLOC_OBJ_NUMANODE, [&](hwloc_obj_t object) {
    const int index = static_cast<int>(object->os_index);
    nodes.push_back({.os_index = index,
                     .memory_bytes = object->attr->numanode.local_memory,
                     .memory_only = std::ranges::find(pus, index, &pu::numa_node) == pus.end(),
                     .allowed = hwloc.bitmap_isset(allowed, object->os_index) != 0});
  });
  std::ranges::sort(nodes, {}, &numa_node::os_index);
  return nodes;
}

}  // namespace

std::optional<topology> read_hwloc() {
  const hwloc_calls* const hwloc = hwloc_calls::get();
  if (hwloc == nullptr) {
    return std::nullopt;
  }
  const hwloc_handle loaded = load_hwloc(*hwloc);
  if (!loaded) {
    return std::nullopt;
  }
  topology machine;
  machine.is_this_machine = hwloc->topology_is_thissystem(loaded.get()) != 0;
  machine.pus = read_pus(*hwloc, loaded.get());
  machine.numa_nodes = read_nodes(*hwloc, loaded.get(), machine.pus);
  return machine;
}

}  // namespace kasuri::platform
