// SPDX-License-Identifier: Apache-2.0
#include "cluster/transport/meet.hpp"

#include "cluster/transport/call_tree.hpp"
#include "cluster/transport/transport.hpp"
#include "platform/base/expect.hpp"

namespace kasuri::cluster {

void meet(transport& network, collective_call call, carried* load) {
  KASURI_EXPECT(cheap, call.what != collective_call::kind::none,
                "rank %d announces no call, behind number %u", network.rank(),
                network.entered().number);
  if (network.size() == 1) return;
  network.enter(call);
  network.calls().meet(load);
}

}  // namespace kasuri::cluster
