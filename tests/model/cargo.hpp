// SPDX-License-Identifier: Apache-2.0
// Frames that the modelled threads pass on: each carries plain data, written before it is passed on
// and read by its taker, so that a missing order shows as a race; and each must be taken exactly
// once.
#pragma once

#include "explorer/explore.hpp"
#include "kasuri/detail/frame.hpp"

namespace kasuri::model {

inline constexpr detail::frame_type cargo_type{nullptr, false, "frame of the model"};

inline constexpr const char* taken_twice = "a frame was taken twice";
inline constexpr const char* lost_frame = "a frame was lost";
inline constexpr const char* no_frame = "what was taken is no frame";

template <int count>
class cargo {
 public:
  /// Frame `i`, filled by the caller, who passes it on.
  detail::frame* load(int i) {
    items_[i].payload = i + 1;
    return &items_[i];
  }

  /// The caller has taken `f`. Returns which one it is.
  int take(detail::frame* f) {
    for (int i = 0; i != count; ++i) {
      if (&items_[i] != f) continue;
      require(items_[i].payload == i + 1, "a frame's content is wrong");
      require(++items_[i].taken == 1, taken_twice);
      return i;
    }
    require(false, no_frame);
    return -1;
  }
  bool is_taken(int i) const { return items_[i].taken != 0; }
  const detail::frame* name(int i) const { return &items_[i]; }

  /// At the end.
  void expect_all_taken() const {
    for (const item& it : items_) require(it.taken == 1, lost_frame);
  }

 private:
  struct item : detail::frame {
    item() noexcept { type = &cargo_type; }
    plain<int> payload{0};
    int taken = 0;
  };
  item items_[count];
};

}  // namespace kasuri::model
