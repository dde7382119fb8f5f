// SPDX-License-Identifier: Apache-2.0
// A program that starts Open MPI before Kasuri does. It finds the library at run time, so that it
// can be built without its headers. Ends with 77 where there is none.
#include <dlfcn.h>

#include <cstdio>

#include "kasuri/global.hpp"

namespace {

namespace global = kasuri::global;

void* open_mpi() {
  for (const char* name : {"libmpi.so.40", "libmpi.so.80"}) {
    if (void* library = ::dlopen(name, RTLD_NOW | RTLD_GLOBAL); library != nullptr) return library;
  }
  return nullptr;
}

int sum() {
  const global::vector<int> array(100'000);
  const auto v = array.view();
  return global::run([=] {
    global::parallel_for(std::size_t{0}, v.size(), 1000, [=](std::size_t lo, std::size_t hi) {
      for (int& each : global::checkout(v.subview(lo, hi - lo), global::write)) each = 1;
    });
    return global::transform_reduce(
        v, 0, [](int a, int b) { return a + b; }, [](int x) { return x; });
  });
}

}  // namespace

int main(int argc, char** argv) {
  void* const library = open_mpi();
  if (library == nullptr) return 77;
  using init_call = int(int*, char***, int, int*);
  using end_call = int();
  auto* const init = reinterpret_cast<init_call*>(::dlsym(library, "MPI_Init_thread"));
  auto* const end = reinterpret_cast<end_call*>(::dlsym(library, "MPI_Finalize"));
  if (init == nullptr || end == nullptr) return 77;
  constexpr int multiple = 3;  // MPI_THREAD_MULTIPLE of Open MPI
  int level = 0;
  init(&argc, &argv, multiple, &level);
  // Kasuri's part of the job ends with the program, and needs MPI until then: what is made first
  // goes last.
  static end_call* last = nullptr;
  last = end;
  static const struct finalizer {
    ~finalizer() { last(); }
  } at_end;
  static_cast<void>(at_end);
  if (sum() != 100'000) return 1;
  if (global::rank() == 0) std::printf("all right on %d ranks\n", global::num_ranks());
}
