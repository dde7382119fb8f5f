// SPDX-License-Identifier: Apache-2.0
#include <kasuri/kasuri.hpp>
#include <kasuri/parallel_for_each.hpp>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

using namespace std::chrono_literals;

std::atomic<int> fetching{0};
std::atomic<bool> too_many{false};

/// The pages that a page links to, from a slow server that takes no more than eight at a time.
std::vector<std::string> fetch(const std::string& page) {
  if (++fetching > 8) too_many = true;
  std::this_thread::sleep_for(1ms);
  --fetching;
  if (page.size() >= 8) return {};
  return {page + "a", page + "b", page.substr(0, (page.size() + 1) / 2)};
}

class pages {
 public:
  /// Whether the page is a new one.
  bool add(const std::string& page) {
    const std::lock_guard lock(mutex_);
    return known_.insert(page).second;
  }
  std::size_t size() const { return known_.size(); }

 private:
  kasuri::mutex mutex_;
  std::set<std::string> known_;
};

}  // namespace

int main() {
  pages known;
  const std::array<std::string, 1> first = {"/"};
  known.add(first[0]);

  // Bound:
  kasuri::semaphore fetches(8);
  kasuri::parallel_for_each(first, [&](const std::string& page, kasuri::feeder<std::string>& more) {
    std::vector<std::string> links;
    {
      const kasuri::semaphore_guard one_of_eight(fetches);  // the task waits, its worker does not
      links = kasuri::blocking([&] { return fetch(page); });
    }
    for (std::string& link : links)
      if (known.add(link)) more.add(std::move(link));
  });
  // end

  std::printf("%zu pages\n", known.size());
  return known.size() == 255 && !too_many ? 0 : 1;
}
