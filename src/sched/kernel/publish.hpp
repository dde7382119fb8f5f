// SPDX-License-Identifier: Apache-2.0
#pragma once

// The owner's answer to thieves that ask: it makes the older half of its private frames public, and
// pushes take the fast path again. The caller tells those who sleep, behind a full fence.
//
// Front ends differ in a parameter, the offer:
//   offer.most         frames for one request
//   offer.publishes(n) whether to publish at all, where n are private
//   offer.answers(n)   whether that is the answer. Else the request stands: the owner is asked
//                      again at its next push, and a thief may help itself
//   offer.give(f)      whether it has given the oldest of all to a thief that waits for it

#include <algorithm>
#include <cstddef>

#include "platform/base/expect.hpp"
#include "sched/kernel/deque.hpp"

namespace kasuri::sched {

/// True: the request is answered.
template <class A, class Offer>
bool answer_request(deque<A>& own, Offer&& offer) noexcept {
  const std::size_t n = own.private_size();
  if (offer.publishes(n))
    own.publish(std::min((n + 1) / 2, offer.most), [&offer](frame* f) { return offer.give(f); });
  KASURI_EXPECT(cheap, own.private_size() <= n, "%zu private frames, %zu before the answer",
                own.private_size(), n);
  if (!offer.answers(n)) return false;
  own.answer();
  return true;
}

/// The answer of an owner that will not be back for its frames soon: all of them.
template <class A>
void answer_with_all(deque<A>& own) noexcept {
  own.publish_all();
  own.answer();
}

}  // namespace kasuri::sched
