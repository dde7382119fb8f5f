// SPDX-License-Identifier: Apache-2.0
#include <kasuri/kasuri.hpp>
#include <kasuri/parallel_for_each.hpp>

#include <array>
#include <cstdio>
#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace {

/// The pages that a page links to.
std::vector<std::string> links_of(const std::string& page) {
  if (page.size() >= 8) return {};
  return {page + "a", page + "b", page.substr(0, (page.size() + 1) / 2)};
}

}  // namespace

int main() {
  std::set<std::string> known;
  kasuri::mutex mutex;

  // Crawl:
  const std::array<std::string, 1> first = {"/"};
  kasuri::parallel_for_each(first, [&](const std::string& page, kasuri::feeder<std::string>& more) {
    {
      const std::lock_guard lock(mutex);
      if (!known.insert(page).second) return;  // another task has it
    }
    for (const std::string& link : links_of(page)) more.add(link);
  });
  // end

  std::printf("%zu pages\n", known.size());
  return known.size() == 255 ? 0 : 1;
}
