// SPDX-License-Identifier: Apache-2.0
// The tables of places and ranks, and the list of words.

const kind_name = row => KINDS[text(row.kind)] ?? text(row.kind).replaceAll("_", " ");

const COLUMNS = {
  sites: [
    { label: "place", kind: "place", field: "place", always: true },
    { label: "kind", kind: "text", get: kind_name },
    { label: "work", kind: "seconds", field: "work_s", term: "work" },
    { label: "in the longest chain", kind: "seconds", field: "critical_s", term: "span" },
    { label: "blame", kind: "seconds", field: "blamed_s", term: "blame" },
    { label: "waited", kind: "seconds", field: "wait_s", term: "waiting" },
    { label: "times", kind: "count", field: "count" },
    { label: "median", kind: "micro", field: "median_us", term: "median" },
    { label: "stretch", kind: "factor", field: "stretch", term: "stretch" },
  ],
  hot: [
    { label: "place", kind: "place", field: "place", always: true },
    { label: "processor time", kind: "seconds", field: "processor_s", term: "processor" },
    { label: "of it alone", kind: "seconds", field: "alone_s", term: "alone" },
    { label: "blame", kind: "seconds", field: "blamed_s", term: "blame" },
  ],
  regions: [
    { label: "place", kind: "place", field: "place", always: true },
    { label: "times", kind: "count", field: "count" },
    { label: "members", kind: "count", field: "members", term: "member" },
    { label: "time on the clock", kind: "seconds", field: "wall_s" },
    { label: "work of all members", kind: "seconds", field: "busy_s", term: "work" },
    { label: "imbalance", kind: "seconds", field: "imbalance_s", term: "imbalance" },
    { label: "longest member", kind: "text", get: row => worst(row.worst) },
  ],
  locks: [
    { label: "taken at", kind: "place", field: "place", always: true },
    { label: "held longest by", kind: "place", field: "holder" },
    { label: "times", kind: "count", field: "count" },
    { label: "met by a wait", kind: "count", field: "contended", term: "contended" },
    { label: "waited", kind: "seconds", field: "wait_s", term: "lock" },
    { label: "held", kind: "seconds", field: "held_s" },
  ],
  runtimes: [
    { label: "library", kind: "text", field: "name", always: true },
    { label: "workers were inside for", kind: "seconds", field: "inside_s" },
    { label: "times", kind: "count", field: "stays" },
  ],
};

/// How often each member was the longest: the one that was it most often.
function worst(value) {
  if (typeof value === "string") return value;
  if (num(value) !== null) return `member ${value}`;
  const times = numbers(value);
  const all = sum(times);
  if (all === 0) return null;
  const most = times.indexOf(Math.max(...times));
  return `member ${most}, ${percent(times[most] / all)} of the times`;
}

function places_part(report, name, title, lead, by) {
  const rows = records(report[name])
    .filter(row => COLUMNS[name].some(column => has_value(column, row)));
  if (rows.length === 0) return null;
  const left_out = num(record(report.left_out)[name]);
  return section(name, title, lead,
    table({ columns: COLUMNS[name], rows, by, anchor: row => row.place }),
    left_out ? el("p", { class: "muted" }, `${plural(left_out, "row")} with less time ` +
      `${left_out === 1 ? "is" : "are"} in the report that kasuri report --json writes.`) : null);
}

const RANK_COLUMNS = [
  { label: "rank", kind: "count", field: "rank", always: true },
  { label: "host", kind: "text", field: "host" },
  { label: "workers", kind: "count", field: "workers", term: "worker" },
  { label: "started after", kind: "seconds", field: "started_s" },
  { label: "clock off by at most", kind: "seconds", field: "clock_off_by_s" },
  { label: "ran for", kind: "seconds", field: "run_s" },
  { label: "work", kind: "seconds", field: "work_s", term: "work" },
  { label: "no work", kind: "seconds", field: "no_work_s", term: "no_work" },
  { label: "waited for data", kind: "seconds", field: "data_wait_s" },
  { label: "waited for tasks elsewhere", kind: "seconds", field: "join_wait_s" },
  { label: "tasks taken from others", kind: "count", field: "steals", term: "steal" },
  { label: "tasks of others run", kind: "count", field: "ran" },
  { label: "brought here", kind: "bytes", field: "fetched_bytes" },
  { label: "brought again", kind: "bytes", field: "refetched_bytes", term: "refetched" },
  { label: "written back", kind: "bytes", field: "written_back_bytes" },
];

/// The fields that the page knows, and others by their names.
function ranks_part(report) {
  const rows = records(report.ranks);
  if (rows.length === 0) return null;
  const known = new Set(RANK_COLUMNS.map(column => column.field));
  const fields = [...new Set(rows.flatMap(row => Object.keys(row)))]
    .filter(name => !known.has(name) && rows.some(row => num(row[name]) !== null));
  return section("ranks", [term("rank", "Ranks")], null,
    table({ columns: [...RANK_COLUMNS, ...fields.map(column_of)], rows, shown: 64 }));
}

function words_part() {
  return section("words", "Words", null, el("dl", {}, Object.entries(WORDS)
    .filter(([key]) => used_words.has(key)).sort(([, a], [, b]) => a[0].localeCompare(b[0]))
    .map(([key, [word, said]]) => el("div", { id: `word-${key}` }, el("dt", {}, word),
      el("dd", {}, said)))));
}
