// SPDX-License-Identifier: Apache-2.0
#pragma once

// A job: what oneTBB takes for a thread of its own. It has an identity (thread-locals) and a stack
// for its life, and goes to the pool as a frame each time oneTBB could use it. Whichever worker
// takes the frame wears the identity and calls oneTBB on that stack.
//
//             the estimate has room                 a worker takes the frame
//     idle ---------------------------> sent ----------------------------------> inside
//      ^                                 | |                                      | |
//      +-- the estimate has no room -----+-|--------------------------------------+ |
//                                          | the connection ends                    |
//                                          v                                        v
//                                      withdrawn: the pool has               ended
//                                      its frame still, which
//                                      does nothing
//
//   lost: a worker was inside when the process forked. In the child nobody is; the record stays.
//
// The server's lock guards `state`, and `next` while the job is idle; of one that is sent it is the
// sender's. All else belongs to the worker that has the frame, and at the end to the thread that
// cleans up.

#include "context/identity.hpp"
#include "context/stack.hpp"
#include "kasuri/detail/frame.hpp"
#include "runtimes/rml/interface.hpp"

namespace kasuri::runtimes::rml {

class server;

enum class job_state { idle, sent, inside, withdrawn, ended, lost };

struct alignas(64) job : detail::frame {
  server* of = nullptr;
  job_state state = job_state::idle;
  job* next = nullptr;                    // idle, or on the way to the pool
  job* next_made = nullptr;               // of the same server; the lock guards it, too
  bool closer_cleans = false;             // of interest to the thread that closes
  client_job* record = nullptr;           // oneTBB's; made by the first worker that is inside
  context::identity* identity = nullptr;  // the same
  context::stack* stack = nullptr;        // the same
};

}  // namespace kasuri::runtimes::rml
