// SPDX-License-Identifier: Apache-2.0
// The page from top to bottom.

function show(report) {
  note_files(report);
  make_patterns();
  // The tables come first, so that the findings can link to their rows.
  const places = [
    places_part(report, "sites", "Places of the program",
      "Where tasks, regions and threads come from, those with the most work first.", "work_s"),
    places_part(report, "hot", "Where processors were busy",
      "Lines that executed most, by samples taken every few milliseconds.", "processor_s"),
    places_part(report, "regions", [term("region", "Regions")], null, "imbalance_s"),
    places_part(report, "locks", "Locks", null, "wait_s"),
    places_part(report, "runtimes", "Other runtimes on the workers",
      "Libraries with threads of their own, whose work ran here instead.", "inside_s"),
  ];
  const charts = [speedup_figure(report), profile_figure(report)].filter(Boolean);
  const parts = [
    el("header", {}, command_line(report), el("h1", {}, el("bdi", {}, text(report.headline))),
      facts(report), doubts(report)),
    findings_part(report), fine_part(report), shares_bar(report),
    charts.length ? el("div", { class: "panels" }, charts) : null,
    timeline_part(report), ancestry_part(report), places, workers_part(report),
    steals_part(report), ranks_part(report), bytes_part(report), words_part(),
  ];
  document.getElementById("page").replaceChildren(...parts.flat().filter(Boolean));
  for (const draw of first_drawings) draw();
}

// Characters that cannot be seen, or turn the direction of what follows, are shown as such.
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const visible = (_, value) => typeof value === "string" ? value.replace(UNSEEN, "\ufffd") : value;
show(record(JSON.parse(document.getElementById("data").textContent, visible)));
