// SPDX-License-Identifier: Apache-2.0
#include "cluster/transport/transport.hpp"

#include "cluster/transport/call_tree.hpp"

namespace kasuri::cluster {

transport::transport() = default;
transport::~transport() = default;

call_tree& transport::calls() {
  if (calls_ == nullptr) calls_ = std::make_unique<call_tree>(*this);
  return *calls_;
}

}  // namespace kasuri::cluster
