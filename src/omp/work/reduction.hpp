// SPDX-License-Identifier: Apache-2.0
#pragma once

// How the members of a team combine their copies of reduction variables, for compilers that ask:
//
//   alone      one member: it just does it
//   atomic     the compiler has atomic updates, and there are few variables; not while a tool looks
//              on, because nobody says when they are done
//   critical   under the lock that the compiler set aside for this reduction

#include <cstdint>

#include "omp/team/team.hpp"
#include "omp/tool/hooks.hpp"
#include "omp/work/lock.hpp"
#include "platform/base/expect.hpp"

namespace kasuri::omp {

enum class reduction_method : std::uint8_t { alone, atomic, critical };

// More atomic updates than that cost more than taking a lock.
constexpr std::int32_t most_atomic_variables = 4;

/// The member comes to a reduction. It combines by itself between this and end_reduction but for
/// `atomic`.
inline reduction_method begin_reduction(member& m, std::int32_t variables, bool has_atomic,
                                        lock_word& lock) noexcept {
  reduction_method method = reduction_method::critical;
  if (m.in->size == 1)
    method = reduction_method::alone;
  else if (has_atomic && variables <= most_atomic_variables && !tool::active())
    method = reduction_method::atomic;
  m.work.reduction = static_cast<std::uint8_t>(method);
  if (tool::active()) [[unlikely]]
    tool::reduction(m, tool::endpoint::begin);
  if (method == reduction_method::critical) acquire(lock);
  return method;
}

inline void end_reduction(member& m, lock_word& lock) noexcept {
  KASURI_EXPECT(cheap, m.work.reduction <= static_cast<std::uint8_t>(reduction_method::critical),
                "member %d ends a reduction of method %u", m.number, m.work.reduction);
  if (m.work.reduction == static_cast<std::uint8_t>(reduction_method::critical)) release(lock);
  if (tool::active()) [[unlikely]]
    tool::reduction(m, tool::endpoint::end);
}

}  // namespace kasuri::omp
