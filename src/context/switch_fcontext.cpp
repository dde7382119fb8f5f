// SPDX-License-Identifier: Apache-2.0
// The four moves on top of Boost.Context's fcontext, for CPUs without an assembly file here.
//
// fcontext passes one pointer along. A context saved here is the fcontext_t of its stack; the
// thread that resumes it calls `after` on it (ontop_fcontext does just that).

#include <cstddef>
#include <cstdint>

#include "context/context.hpp"

namespace {

using fcontext = void*;

struct transfer {
  fcontext from;
  void* data;
};

extern "C" {
transfer jump_fcontext(fcontext to, void* data);
fcontext make_fcontext(void* top, std::size_t size, void (*entry)(transfer));
transfer ontop_fcontext(fcontext to, void* data, transfer (*function)(transfer));
}

struct order {
  void (*entry)(void*, void*);
  void (*after)(void*);
  void* (*call)(void*);
  void* arg;
  void** from;
};

// Boost checks the size only against zero; the stacks here bring their own guards.
constexpr std::size_t any_size = 4096;

void start_entry(transfer t) {
  const order o = *static_cast<order*>(t.data);
  o.entry(o.arg, t.from);
}

transfer switch_after(transfer t) {
  const order o = *static_cast<order*>(t.data);
  o.entry(o.arg, t.from);
  return {nullptr, nullptr};
}

transfer jump_after(transfer t) {
  const order o = *static_cast<order*>(t.data);
  o.after(o.arg);
  return {nullptr, nullptr};
}

transfer nothing_after(transfer) { return {nullptr, nullptr}; }

void call_entry(transfer t) {
  const order o = *static_cast<order*>(t.data);
  *o.from = t.from;
  void* back = o.call(o.arg);
  ontop_fcontext(back, nullptr, nothing_after);
}

}  // namespace

extern "C" {

void kasuri_context_start(void* top, void (*entry)(void*, void*), void* arg) {
  order o{entry, nullptr, nullptr, arg, nullptr};
  jump_fcontext(make_fcontext(top, any_size, start_entry), &o);
}

void kasuri_context_switch(void* to, void (*after)(void*, void*), void* arg) {
  order o{after, nullptr, nullptr, arg, nullptr};
  ontop_fcontext(to, &o, switch_after);
}

void kasuri_context_jump(void* to, void (*after)(void*), void* arg) {
  order o{nullptr, after, nullptr, arg, nullptr};
  ontop_fcontext(to, &o, jump_after);
  __builtin_unreachable();
}

void kasuri_context_call(void* top, void* (*entry)(void*), void* arg, void** from) {
  order o{nullptr, nullptr, entry, arg, from};
  jump_fcontext(make_fcontext(top, any_size, call_entry), &o);
}

// The content of a saved context of fcontext is not known here: no frames are found.
const char kasuri_context_walk_returns = 0;
void kasuri_context_walk(void*, void (*)(void*), void*) {}
}
