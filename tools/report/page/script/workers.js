// SPDX-License-Identifier: Apache-2.0
// Where the time of each worker went, or of each group of workers where there are many.

// [field of the account, share whose colour it has]
const ACCOUNT = [["work_s", "work"], ["overhead_s", "runtime"], ["waiting_s", "waiting"],
  ["idle_ready_s", "late"], ["idle_empty_s", "no_work"], ["blocked_s", "blocked"],
  ["off_core_s", "others"]];

function group_name(group, role) {
  const many = num(group.count) > 1;
  const name = many ? `${group.first} to ${group.last}` : `${group.first ?? group.worker ?? ""}`;
  const other_role = role && !many && text(group.role) && group.role !== "worker";
  return other_role ? `${name} (${group.role})` : name;
}

function worker_row(group, longest) {
  const parts = ACCOUNT.map(([field, key]) => [key, num(group[field]) ?? 0])
    .filter(([, value]) => value > 0);
  const said = parts.map(([key, value]) => `${WORDS[key][0]} ${seconds(value)}`).join(", ");
  const scatter = num(group.count) > 1
    ? `; work from ${seconds(group.least_work_s)} to ${seconds(group.most_work_s)}` : "";
  return el("div", { class: "worker", role: "img", title: said + scatter,
    "aria-label": `${group_name(group, true)}: ${said}${scatter}` },
    el("span", { class: "name" }, group_name(group, true)),
    el("div", { class: "bar" },
      parts.map(([key, value]) =>
        el("div", { class: `fill-${key}`, style: `width:${100 * value / longest}%` })),
      num(group.count) > 1 ? el("i", { class: "scatter", style:
        `left:${100 * group.least_work_s / longest}%;` +
        `width:${100 * (group.most_work_s - group.least_work_s) / longest}%` }) : null));
}

function workers_columns(groups) {
  const present = field => groups.some(group => num(group[field]) !== null);
  const known = new Set(["first", "last", "count", "worker", "role", "least_work_s",
    "most_work_s"]);
  const labels = { ...Object.fromEntries(ACCOUNT), processor_s: "processor" };
  const fields = [...new Set([...ACCOUNT.map(([field]) => field),
    ...groups.flatMap(group => Object.keys(group))])];
  return [{ label: "worker", kind: "text", get: group => group_name(group, false),
    order: group => num(group.first) },
    ...fields.filter(field => !known.has(field) && present(field)).map(field =>
      ({ ...column_of(field), term: labels[field] ?? (field === "steals" ? "steal" : null),
        label: labels[field] ? WORDS[labels[field]][0] : column_of(field).label }))];
}

function workers_part(report) {
  const groups = records(report.workers_accounts);
  if (groups.length === 0) return null;
  const total = group => sum(ACCOUNT.map(([field]) => num(group[field]) ?? 0));
  const longest = Math.max(...groups.map(total));
  if (!(longest > 0)) return null;
  const grouped = groups.some(group => num(group.count) > 1);
  const used = ACCOUNT.filter(([field]) => groups.some(group => num(group[field]) > 0));
  const lead = grouped ? "Each row is the mean of a group of workers; the thin line spans from " +
    "the one that worked least to the one that worked most." : null;
  return section("workers", [term("worker", "Workers")], lead,
    el("ul", { class: "legend" },
      used.map(([, key]) => el("li", {}, swatch(key), term(key)))),
    el("div", { class: groups.length > 24 ? "workers dense" : "workers" },
      groups.map(group => worker_row(group, longest))),
    el("details", {}, el("summary", {}, "The same as a table"),
      table({ columns: workers_columns(groups), rows: groups, shown: 64 })));
}
