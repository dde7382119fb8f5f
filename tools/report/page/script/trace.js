// SPDX-License-Identifier: Apache-2.0
// A window of the timeline as a file in the Trace Event format, which Perfetto and Chrome's tracing
// open. Made here in the page: nothing is sent anywhere.

const microseconds = time => Math.round(1e6 * time);

/// The state with the largest share, null where none was seen.
function main_state(group, bin) {
  let most = 0, found = null;
  for (const [key] of TIMELINE_STATES) {
    const share = group.shares[key]?.[bin] ?? 0;
    if (share > most) { most = share; found = key; }
  }
  return found;
}

function shares_in_words(group, bin) {
  return Object.fromEntries(TIMELINE_STATES.filter(([key]) => (group.shares[key]?.[bin] ?? 0) > 0)
    .map(([key, label]) => [label, percent(group.shares[key][bin])]));
}

/// What the workers of a group did mostly: one slice for each row of bins with the same answer.
function group_slices(data, group, at, from, to) {
  const events = [];
  for (let bin = from; bin < to;) {
    const state = main_state(group, bin);
    const begin = bin;
    while (bin < to && main_state(group, bin) === state) ++bin;
    if (state === null) continue;
    const label = TIMELINE_STATES.find(([key]) => key === state)[1];
    const ts = microseconds(begin * data.bin);
    events.push({ ph: "X", pid: 1, tid: at + 1, name: label, cat: "worker", ts,
      dur: microseconds(Math.min(bin * data.bin, data.end)) - ts,
      args: shares_in_words(group, begin) });
  }
  return events;
}

/// How many workers of all were in each state, by bin.
function counter_events(data, from, to) {
  const used = TIMELINE_STATES.filter(([key]) => data.groups.some(group => group.shares[key]));
  return Array.from({ length: to - from }, (_, i) => from + i).map(bin => ({
    ph: "C", pid: 1, name: "workers by state", ts: microseconds(bin * data.bin),
    args: Object.fromEntries(used.map(([key, label]) => [label, Number(sum(data.groups
      .map(group => (group.shares[key]?.[bin] ?? 0) * group.count)).toFixed(2))])) }));
}

/// Bins [from, to) of the timeline as a trace.
function window_trace(data, from, to, program) {
  const named = (name, tid, value) => ({ ph: "M", pid: 1, tid, name, args: { name: value } });
  return { displayTimeUnit: "ms", traceEvents: [
    named("process_name", 0, program || "program"),
    ...data.groups.flatMap((group, at) => [named("thread_name", at + 1, row_name(group)),
      { ph: "M", pid: 1, tid: at + 1, name: "thread_sort_index", args: { sort_index: at } }]),
    ...data.groups.flatMap((group, at) => group_slices(data, group, at, from, to)),
    ...counter_events(data, from, to)] };
}

function save(name, content) {
  const address = URL.createObjectURL(new Blob([content], { type: "application/json" }));
  const link = el("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 60000);
}

function trace_file_name(program, from, to) {
  const name = last_parts(program || "program", 1).replace(/[^\w.-]/g, "_");
  return `${name}-${from.toFixed(3)}s-${to.toFixed(3)}s.trace.json`;
}

/// How to see single tasks, which the timeline does not have.
function single_tasks(report) {
  const trace = text(report.trace);
  const command = words => el("code", {}, words);
  return el("p", { class: "small muted" }, trace
    ? ["This run was recorded task by task as well: ", command(`kasuri trace ${trace}`),
      " makes a file of it that Perfetto opens."]
    : ["For single tasks record the program with ", command("kasuri run --trace FILE PROGRAM"),
      " and turn the recording into a file for Perfetto with ", command("kasuri trace FILE"), "."]);
}
