// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "cluster/base/carried.hpp"
#include "cluster/memory/base/options.hpp"
#include "cluster/memory/notices/notice_log.hpp"
#include "cluster/memory/notices/told_to_all.hpp"

namespace kasuri::cluster {

/// What goes along when all ranks begin a run: what each of them has written since the last one.
/// Nothing where no log has become longer since then.
class begin_notices final : public carried {
 public:
  using applier = std::function<void(const notice&)>;

  begin_notices(notice_log& log, const memory_options& options, applier apply)
      : log_(log), options_(options), apply_(std::move(apply)) {}

  /// Takes what this rank has to tell.
  void take() { told_ = log_.untold(); }

  void add(std::span<const std::byte> of_others) override;
  std::span<const std::byte> told() override;
  void learn(std::span<const std::byte> of_all) override;

 private:
  notice_log& log_;
  const memory_options& options_;
  const applier apply_;
  told_to_all told_;
  std::vector<std::byte> bytes_;
};

}  // namespace kasuri::cluster
