// SPDX-License-Identifier: Apache-2.0
// The first screen: the run in one line, what limits it, and what is fine.

function command_line(report) {
  const words = [text(report.program), ...list(report.arguments).map(String)].filter(Boolean);
  if (words.length === 0) return null;
  return el("p", { class: "command" }, el("bdi", {}, el("code", { title: words.join(" ") },
    [last_parts(words[0], 1), ...words.slice(1)].join(" "))));
}

function machine_words(machine) {
  const usable = num(machine.usable_cpus);
  const online = num(machine.online_cpus);
  const quota = num(machine.quota_cpus);
  const load = num(machine.load);
  return [
    usable === null ? null : usable < online
      ? `${count(usable)} of ${plural(online, "processor")} usable`
      : plural(usable, "processor"),
    quota > 0 ? `quota of ${plural(quota, "processor")}` : null,
    load === null ? null : `load ${digits(load)} at the start`,
  ].filter(Boolean);
}

function facts(report) {
  const said = machine_words(record(report.machine));
  return said.length === 0 ? null
    : el("p", { class: "facts" }, said.map(part => el("span", {}, part)));
}

function doubts(report) {
  const quality = record(report.quality);
  const notes = list(quality.notes).filter(text).map(note => note.replace(/\.$/, ""));
  if (!quality.unsure && notes.length === 0) return null;
  const lead = quality.unsure ? "The figures of this run are unsure" : "Note";
  return el("p", { class: quality.unsure ? "doubt unsure" : "doubt", role: "note" },
    el("b", {}, lead + (notes.length ? ": " : ".")), notes.length ? notes.join("; ") + "." : null);
}

function gain_element(finding, time) {
  const gain = num(finding.gain);
  const saved = num(finding.gain_s);
  const factor = gain > 1 ? gain : saved > 0 && time > saved ? time / (time - saved) : null;
  if (factor === null && !(saved > 0)) return null;
  return el("div", { class: "gain" },
    saved > 0 ? el("span", { class: "muted" }, term("gain"), ` ${seconds(saved)}`,
      time > 0 ? ` of ${seconds(time)}` : "") : null,
    saved > 0 && time > 0 ? el("span", { class: "meter", "aria-hidden": "true" },
      el("span", { style: `width:${100 * Math.min(1, saved / time)}%` })) : null,
    factor ? el("span", {}, "up to ", el("b", {}, `${digits(factor)} times`), " as fast") : null);
}

function finding_element(finding, time) {
  const rule = text(finding.rule);
  const place = place_link(finding.place);
  const tag = el("span", { class: "tag",
    title: "Something makes this figure unsure: see the note above." }, "unsure");
  return el("li", { class: "finding" }, el("div", {},
    el("div", { class: "finding-head" },
      el("h3", {}, RULES[rule] ?? rule.replaceAll("_", " "), place ? [" · ", place] : null,
        finding.confidence === "low" ? tag : null), gain_element(finding, time)),
    el("p", {}, el("bdi", {}, text(finding.sentence))),
    text(finding.advice) ? el("p", { class: "advice" }, "→ ", el("bdi", {}, finding.advice))
      : null));
}

const ANSWERS = {
  nothing: "Nothing limits this run: the workers were at work nearly all of the time.",
  too_short: "The run was too short to say what limits it. Give the program more to do.",
  unsure: "No single place limits this run.",
};

function findings_part(report) {
  const found = records(report.findings).filter(one => text(one.sentence));
  const time = num(report.seconds);
  const answer = found.length === 0
    ? text(report.answer_sentence) || ANSWERS[text(report.answer)] : null;
  return section("findings", found.length > 0 ? "What limits it" : "Answer", null,
    answer ? el("p", { class: "answer" }, answer) : null,
    found.length ? el("ol", { class: "findings" }, found.map(one => finding_element(one, time)))
      : null);
}

function fine_part(report) {
  const fine = list(report.fine).filter(text);
  if (fine.length === 0) return null;
  return el("p", { class: "fine" }, el("b", {}, "Fine: "),
    fine.map((one, at) => [at > 0 ? " · " : "", el("bdi", {}, one)]));
}
