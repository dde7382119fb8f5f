// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "cluster/memory/notices/notice_ring.hpp"

namespace kasuri::cluster {

/// Makes as few notices as say the same of what each rank wrote; of `most` at most, which may no
/// longer say who wrote what, or say that everything was written. Of several notices of a rank, the
/// one that they become has the highest number: who knows that one knows all of them.
void merge_notices(std::vector<notice>& all, std::size_t most);

}  // namespace kasuri::cluster
