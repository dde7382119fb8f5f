// SPDX-License-Identifier: Apache-2.0
// Which worker took tasks of which: a field for each pair, darker for more.

const group_label = (at, size, workers) =>
  size === 1 ? `${at}` : `${at * size} to ${Math.min((at + 1) * size, workers) - 1}`;

function steals_field(data, row, column, most, side) {
  const value = data.matrix[row][column];
  const [one, other] = [row, column].map(at => group_label(at, data.size, data.workers));
  return svg("rect", { x: LEFT + column * side, y: 22 + row * side, width: side - 1,
    height: side - 1, class: "heat", "fill-opacity": 0.08 + 0.92 * Math.sqrt(value / most) },
    svg("title", {}, data.said(one, other, value)));
}

function steals_labels(data, side) {
  const step = Math.ceil(data.matrix.length / 8);
  const marked = data.matrix.map((_, at) => at).filter(at => at % step === 0);
  return marked.map(at => [
    svg("text", { x: LEFT + (at + 0.5) * side, y: 17, "text-anchor": "middle" },
      `${at * data.size}`),
    svg("text", { x: LEFT - 5, y: 22 + (at + 0.5) * side + 4, "text-anchor": "end" },
      `${at * data.size}`)]);
}

/// A matrix of the report, with `said(row, column, value)` for its fields; null: it is empty.
function matrix_data(given, said) {
  const matrix = list(record(given).matrix).map(numbers);
  const most = Math.max(0, ...matrix.flat());
  if (matrix.length < 2 || most === 0) return null;
  return { matrix, most, said, size: num(given.size) ?? 1,
    workers: num(given.workers) ?? matrix.length };
}

function matrix_drawing(data, label) {
  const groups = data.matrix.length;
  const side = Math.max(7, Math.min(26, Math.floor(440 / groups)));
  const fields = data.matrix.flatMap((row, at) => row.map((value, column) =>
    value > 0 ? steals_field(data, at, column, data.most, side) : null));
  return el("figure", {}, svg("svg", { class: "steals", width: LEFT + groups * side + 4,
    height: 26 + groups * side, role: "img", "aria-label": label },
    svg("rect", { x: LEFT, y: 22, width: groups * side, height: groups * side,
      class: "heat-ground" }), fields, steals_labels(data, side)));
}

function steals_part(report) {
  const data = matrix_data(report.steals, (thief, victim, value) =>
    `${thief} took ${plural(value, "task")} of ${victim}`);
  if (!data) return null;
  const lead = [`In all ${count(sum(data.matrix.flat()))} tasks were taken. Rows: ` +
    "the workers that took; columns: those that had the task. The darkest field is ",
    count(data.most), data.size > 1 ? `. Each row and column stands for ${data.size} workers.`
      : "."];
  return section("steals", ["Who took tasks of whom (", term("steal", "steals"), ")"], lead,
    matrix_drawing(data, "Steals by thief and victim"));
}

/// What each rank moved from and to the memory of each.
function bytes_part(report) {
  const data = matrix_data(report.bytes_between, (mover, owner, value) =>
    `rank ${mover} moved ${bytes(value)} from and to rank ${owner}`);
  if (!data) return null;
  const lead = `In all ${bytes(sum(data.matrix.flat()))} were moved between ranks. Rows: the ` +
    `ranks that asked; columns: those that have the data. The darkest field is ` +
    `${bytes(data.most)}` +
    (data.size > 1 ? `. Each row and column stands for ${data.size} ranks.` : ".");
  return section("bytes", ["Data moved between ", term("rank", "ranks")], lead,
    matrix_drawing(data, "Bytes by the rank that asked and the rank that has the data"));
}
