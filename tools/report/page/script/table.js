// SPDX-License-Identifier: Apache-2.0
// Tables whose columns sort by a button in their head, longest ones folded until asked for.
//
// A column: label, kind (text, place, seconds, micro, count, factor, percent), field or get(row),
// and where wanted term (a word of WORDS) and order(row), by which it sorts in the place of its
// values.

const SHOW = {
  text: value => el("bdi", {}, String(value)), place: place_element, seconds,
  micro: value => seconds(value * 1e-6), count, percent,
  factor: value => `${digits(value)} times`, bytes: value => bytes(value),
};

function bytes(value) {
  for (const [unit, name] of [[2 ** 30, "GiB"], [2 ** 20, "MiB"], [2 ** 10, "KiB"]]) {
    if (value >= unit) return `${digits(value / unit)} ${name}`;
  }
  return `${count(value)} B`;
}

const value_of = (column, row) => column.get ? column.get(row) : row[column.field];
const is_number = column => column.kind !== "text" && column.kind !== "place";

/// The column of a field that the page knows nothing about but its name.
function column_of(field) {
  const kinds = [["_s", "seconds"], ["_us", "micro"], ["_ns", "nano"], ["bytes", "bytes"]];
  const [ending, kind] = kinds.find(([end]) => field.endsWith(end)) ?? ["", "count"];
  const label = (kind === "bytes" ? field : field.slice(0, field.length - ending.length))
    .replaceAll("_", " ");
  if (kind === "nano") {
    return { label, kind: "seconds", get: row => num(row[field]) && row[field] * 1e-9 };
  }
  return { label, kind, field };
}

function cell(column, row) {
  const value = value_of(column, row);
  const missing = is_number(column) ? num(value) === null : value === null || value === undefined;
  return el("td", { class: is_number(column) ? "n" : null },
    missing ? "" : SHOW[column.kind](value));
}

function sort_value(column, row) {
  if (column.order) return column.order(row);
  const value = value_of(column, row);
  if (is_number(column)) return num(value);
  return column.kind === "place" ? place_text(value) : String(value);
}

/// Missing values come last, whatever the direction.
function sorted(rows, column, down) {
  return rows.map(row => [sort_value(column, row.data), row]).sort(([a], [b]) => {
    if (a === null || b === null) return (a === null) - (b === null);
    const order = typeof a === "string" ? a.localeCompare(b, "en", { numeric: true }) : a - b;
    return down ? -order : order;
  }).map(([, row]) => row);
}

/// Puts a table onto the clipboard, cells between tabs, as spreadsheets take it.
function copy(body, columns, button) {
  const line = row => columns.map(column => column.kind === "place"
    ? place_text(value_of(column, row)) : value_of(column, row) ?? "").join("\t");
  const area = el("textarea", {});
  area.value = [columns.map(column => column.label).join("\t"), ...body.map(row => line(row.data))]
    .join("\n");
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
  button.textContent = "copied";
}

function head_cell(column, sort) {
  const toggle = () => sort(column, header,
    header.ariaSort ? header.ariaSort === "ascending" : is_number(column));
  const button = el("button", { type: "button", onclick: toggle,
    title: explained(column.term) }, column.label);
  const header = el("th", { class: is_number(column) ? "n" : null, scope: "col" }, button);
  return header;
}

/// options: columns, rows, by (the field by which they are sorted at first, the most on top), shown
/// (how many rows before the button for all), anchor (row -> place).
function table({ columns, rows, by, shown = 15, anchor }) {
  const used = columns.filter(column => column.always || rows.some(row => has_value(column, row)));
  const body = rows.map(data => ({ data, line: el("tr", {}, used.map(c => cell(c, data))) }));
  const lines = el("tbody");
  const state = { order: body, all: body.length <= shown + 3 };
  const more = el("button", { type: "button", onclick: () => show_all() });
  const draw = () => {
    lines.replaceChildren(...state.order.slice(0, state.all ? body.length : shown)
      .map(row => row.line));
    more.hidden = state.all;
    more.textContent = `show all ${count(body.length)} rows`;
  };
  const show_all = () => { state.all = true; draw(); };
  const sort = (column, header, down) => {
    for (const other of header.parentElement.cells) other.removeAttribute("aria-sort");
    header.ariaSort = down ? "descending" : "ascending";
    state.order = sorted(body, column, down);
    draw();
  };
  const heads = used.map(column => head_cell(column, sort));
  const whole = table_element(el("tr", {}, heads), lines, more,
    button => copy(state.order, used, button));
  const first = used.findIndex(column => by && column.field === by);
  if (first >= 0) sort(used[first], heads[first], true);
  if (anchor) note_rows(body, anchor, show_all);
  draw();
  return whole;
}

function table_element(head, lines, more, copied) {
  const copier = el("button", { type: "button", onclick: () => copied(copier) }, "copy");
  return el("div", {}, el("div", { class: "scroll" },
    el("table", {}, el("thead", {}, head), lines)), el("p", { class: "buttons" }, more, copier));
}

function has_value(column, row) {
  const value = value_of(column, row);
  if (column.kind === "place") return place_text(value) !== "";
  return is_number(column) ? num(value) !== null : (value ?? "") !== "";
}

/// Findings link to the first row of their place.
function note_rows(body, anchor, show_all) {
  for (const row of body) {
    const key = place_key(anchor(row.data));
    if (!key || rows_by_place.has(key)) continue;
    const id = `place-${rows_by_place.size + 1}`;
    row.line.id = id;
    rows_by_place.set(key, { id, show: show_all });
  }
}
