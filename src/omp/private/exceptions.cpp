// SPDX-License-Identifier: Apache-2.0
// Exceptions, where the C++ library linked into the OpenMP library, and hidden in it, meets the
// program's, which may be of any version, or come later (an extension of an interpreter), or never.
//
// An exception passes through frames of both. So where the program has a C++ library, three things
// are the program's, on which the two must agree: the unwinder of the stack (the context that a
// personality function gets is that of one unwinder, and the functions that read it must be of the
// same), the thread's records of the exceptions on their way and of those that are handled, and the
// effect of std::terminate. The linker leads our calls here (--wrap), resp. takes the functions
// here in place of libstdc++'s.
#include <dlfcn.h>
#include <link.h>
#include <unwind.h>

#include <atomic>
#include <exception>
#include <string_view>

namespace {

/// Whether a module is loaded whose file has a name that begins so.
bool is_loaded(std::string_view beginning) noexcept {
  return ::dl_iterate_phdr(
             [](dl_phdr_info* module, std::size_t, void* wanted) {
               const std::string_view path = module->dlpi_name;
               const std::string_view file = path.substr(path.rfind('/') + 1);
               return static_cast<int>(
                   file.starts_with(*static_cast<const std::string_view*>(wanted)));
             },
             &beginning) != 0;
}

struct library {
  std::string_view beginning;  // of the names of its files
  const char* name;
};

constexpr library homes[] = {{"libstdc++", "libstdc++.so.6"},
                             {"libc++abi", "libc++abi.so.1"},
                             {"libgcc_s", "libgcc_s.so.1"}};

/// A function of the program's, looked for until it is there. A library that was found stays
/// loaded.
void* find(const char* name) noexcept {
  // In the scope of the program; else in a module's, which the C library's own unwinder is as well.
  if (void* const here = ::dlsym(RTLD_DEFAULT, name)) return here;
  for (const library& home : homes) {
    // The loader would look through all its folders for one that is not loaded.
    if (!is_loaded(home.beginning)) continue;
    if (void* const loaded = ::dlopen(home.name, RTLD_LAZY | RTLD_NOLOAD))
      if (void* const there = ::dlsym(loaded, name)) return there;
  }
  return nullptr;
}

/// How many modules the process has loaded until now, those included that it unloaded again.
unsigned long long modules_loaded() noexcept {
  unsigned long long sum = 0;
  ::dl_iterate_phdr(
      [](dl_phdr_info* any, std::size_t, void* to) {
        *static_cast<unsigned long long*>(to) = any->dlpi_adds;
        return 1;  // each of them tells the sum
      },
      &sum);
  return sum;
}

/// A function of the program's, as far as it has been looked for.
template <class Function>
struct known_function {
  std::atomic<Function*> found{nullptr};
  // modules_loaded() when it was last looked for in vain. To look for it opens files and allocates,
  // and a thread of a C program asks for its exceptions in each region.
  std::atomic<unsigned long long> in_vain{0};
};

/// The program's function, or ours while it has none.
template <class Function>
Function* program_or(Function* ours, const char* name, known_function<Function>& known) noexcept {
  Function* theirs = known.found.load(std::memory_order_relaxed);
  if (theirs != nullptr) return theirs;
  const unsigned long long modules = modules_loaded();
  if (known.in_vain.load(std::memory_order_relaxed) == modules) return ours;
  theirs = reinterpret_cast<Function*>(find(name));
  if (theirs == nullptr) {
    known.in_vain.store(modules, std::memory_order_relaxed);
    return ours;
  }
  known.found.store(theirs, std::memory_order_relaxed);
  return theirs;
}

/// The beginning of __cxa_eh_globals of the C++ ABI; libstdc++ and libc++ have no more.
struct exception_state {
  void* handled = nullptr;
  unsigned int on_their_way = 0;
};

// In use while no C++ library of the program is loaded.
constinit thread_local exception_state own;

exception_state* own_state() { return &own; }

}  // namespace

extern "C" {

exception_state* __cxa_get_globals() noexcept {
  constinit static known_function<exception_state*()> known;
  return program_or(own_state, "__cxa_get_globals", known)();
}

exception_state* __cxa_get_globals_fast() noexcept { return __cxa_get_globals(); }

// Of the linker: name's callers call __wrap_name, and __real_name is what they would have called.
#define KASURI_OF_PROGRAM(result, name, parameters, ...)         \
  result __real_##name parameters;                               \
  result __wrap_##name parameters {                              \
    constinit static known_function<result parameters> known;    \
    return program_or(__real_##name, #name, known)(__VA_ARGS__); \
  }

KASURI_OF_PROGRAM(_Unwind_Reason_Code, _Unwind_RaiseException, (_Unwind_Exception * e), e)
KASURI_OF_PROGRAM(_Unwind_Reason_Code, _Unwind_Resume_or_Rethrow, (_Unwind_Exception * e), e)
KASURI_OF_PROGRAM(void, _Unwind_Resume, (_Unwind_Exception * e), e)
KASURI_OF_PROGRAM(void*, _Unwind_GetLanguageSpecificData, (_Unwind_Context * c), c)
KASURI_OF_PROGRAM(_Unwind_Ptr, _Unwind_GetRegionStart, (_Unwind_Context * c), c)
KASURI_OF_PROGRAM(_Unwind_Ptr, _Unwind_GetTextRelBase, (_Unwind_Context * c), c)
KASURI_OF_PROGRAM(_Unwind_Ptr, _Unwind_GetDataRelBase, (_Unwind_Context * c), c)
KASURI_OF_PROGRAM(_Unwind_Ptr, _Unwind_GetIPInfo, (_Unwind_Context * c, int* before), c, before)
KASURI_OF_PROGRAM(void, _Unwind_SetGR, (_Unwind_Context * c, int r, _Unwind_Word w), c, r, w)
KASURI_OF_PROGRAM(void, _Unwind_SetIP, (_Unwind_Context * c, _Unwind_Ptr p), c, p)
// std::terminate and std::get_terminate
KASURI_OF_PROGRAM(void, _ZSt9terminatev, ())
KASURI_OF_PROGRAM(std::terminate_handler, _ZSt13get_terminatev, ())

#undef KASURI_OF_PROGRAM
}
