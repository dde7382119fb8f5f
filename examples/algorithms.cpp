// SPDX-License-Identifier: Apache-2.0
#include <kasuri/algorithm.hpp>

#include <cstdio>
#include <string>
#include <vector>

namespace {

struct person {
  std::string name;
  int age;
};

}  // namespace

int main() {
  std::vector<person> people;
  for (int i = 0; i != 100'000; ++i)
    people.push_back({"name " + std::to_string(i * 7919 % 100'000), i % 90});

  // Algorithms:
  kasuri::sort(kasuri::par, people, {}, &person::name);
  const auto is_old = [](int age) { return age > 60; };
  const auto first_old = kasuri::find_if(kasuri::par, people, is_old, &person::age);
  const auto number_of_old = kasuri::count_if(kasuri::par, people, is_old, &person::age);
  const std::string name = first_old->name;
  const auto is_young = [](const person& p) { return p.age < 18; };
  people.erase(kasuri::remove_if(kasuri::par, people, is_young), people.end());
  // end

  std::printf("first above 60: %s; %td are, %zu are left\n", name.c_str(), number_of_old,
              people.size());
  // Ages go round from 0 to 89; the last round is 10 short.
  return number_of_old == 1111L * 29 && people.size() == 1111 * 72 &&
                 kasuri::is_sorted(kasuri::par, people, {}, &person::name)
             ? 0
             : 1;
}
