// SPDX-License-Identifier: Apache-2.0
// kmer: counts the k-mers of a FASTA file; docs/how-to/cluster-apps.md.
#include <cinttypes>
#include <optional>
#include <string>

#include <kasuri/global/file.hpp>
#include <kasuri/global/parallel_for.hpp>
#include <kasuri/global/run.hpp>
#include <kasuri/global/vector.hpp>

#include "cluster/meter.hpp"
#include "cluster/ranks.hpp"
#include "common/command_line.hpp"
#include "kmer/count.hpp"

namespace kmer {
namespace {

struct request {
  std::string input;
  std::size_t letters = 10'000'000;
  unsigned k = 21;
  unsigned bits = 8;
  std::size_t chunk = 262'144;
  std::uint64_t seed = 1;
  bool spectrum = false;
  bool check = false;
  apps::ranks_request ranks;
};

void add_options(CLI::App& app, request& r) {
  app.add_option("--input", r.input, "A FASTA file that all ranks can read.")
      ->check(apps::readable_file());
  app.add_option("--letters", r.letters, "Without --input: of a made-up genome (10000000).")
      ->check(apps::whole_number(1, 1'000'000'000'000));
  app.add_option("--k", r.k, "Bases of a k-mer (21).")->check(apps::whole_number(1, longest_k));
  app.add_option("--bits", r.bits, "Two to this power parts, a table each (8).")
      ->check(apps::whole_number(0, 14));
  app.add_option("--chunk", r.chunk, "Letters that one task reads (262144).")
      ->check(apps::whole_number(1, 1'000'000'000));
  app.add_option("--seed", r.seed, "Of the made-up genome (1).")
      ->check(apps::whole_number(0, 16'000'000));
  app.add_flag("--spectrum", r.spectrum, "Print how many k-mers occur once, twice, ...")
      ->disable_flag_override();
  app.add_flag("--check", r.check, "Compare with a serial count.")->disable_flag_override();
  apps::add_ranks_options(app, r.ranks);
}

void make_up(global::view<char> letters, std::uint64_t seed) {
  const std::size_t n = letters.size();
  global::parallel_for(std::size_t{0}, n, std::size_t{65536}, [=](std::size_t lo, std::size_t hi) {
    const auto x = global::checkout(letters.subview(lo, hi - lo), global::write);
    for (std::size_t i = lo; i < hi; ++i) x[i - lo] = made_up(seed, i, n);
  });
}

census count(const text& t, parts p, apps::part all) {
  const global::vector<std::uint64_t> rows(t.chunks() * p.count(), global::blocked);
  const global::vector<std::uint64_t> begin(p.count() + 1, global::blocked);
  const apps::part third = all.pieces(1, 3);
  const std::uint64_t total = global::run([=, rows = rows.view(), begin = begin.view()] {
    return place_parts(t, p, rows, begin, third);
  });
  if (total == 0) return {};
  const global::vector<code> kmers(total, global::blocked);
  return global::run([=, rows = rows.view(), begin = begin.view(), kmers = kmers.view()] {
    deal(t, p, rows, kmers, third);
    return count_parts(p, begin, kmers, third);
  });
}

void report(const census& c, const request& r) {
  apps::say("k-mers     %" PRIu64 ", %" PRIu64 " different\n", c.total, c.distinct);
  if (c.total != 0)
    apps::say("most       %s, %" PRIu64 " times\n", letters(c.most_frequent, r.k).c_str(), c.often);
  for (std::size_t i = 0; i < census::most && r.spectrum; ++i)
    apps::say("%2zu times%s  %" PRIu64 "\n", i + 1, i + 1 == census::most ? "+" : " ",
              c.spectrum[i]);
}

int count_text(global::view<const char> letters, const request& r) {
  const text t{letters, r.k, r.chunk};
  census found;
  const auto seconds = apps::metered_rounds(
      r.ranks.repeat, [] {}, [&](apps::part all) { found = count(t, {r.bits}, all); });
  report(found, r);
  apps::report_times(seconds);
  apps::say("speed      %.2f million letters/s\n",
            static_cast<double>(letters.size()) / seconds.front() / 1e6);
  if (!r.check) return 0;
  const bool right = global::run([t, found] { return count_serial(t) == found; });
  apps::say("check      %s\n", right ? "the serial counts" : "WRONG: not the serial counts");
  return right ? 0 : apps::status_differs;
}

int work(const request& r) {
  apps::start_ranks(r.ranks);
  if (!r.input.empty()) {
    const global::file_view<char> file(r.input);
    return count_text(file.view(), r);
  }
  const global::vector<char> genome(r.letters, global::blocked);
  global::run([v = genome.view(), seed = r.seed] { make_up(v, seed); });
  return count_text(genome.view(), r);
}

}  // namespace
}  // namespace kmer

int main(int argc, char** argv) {
  kmer::request r;
  CLI::App app("Counts the k-mers of a FASTA file, on one machine or on the ranks of a cluster.",
               "kmer");
  kmer::add_options(app, r);
  if (const std::optional<int> status = apps::parse(app, argc, argv)) return *status;
  return apps::guarded("kmer", [&] { return kmer::work(r); });
}
