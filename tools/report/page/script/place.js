// SPDX-License-Identifier: Apache-2.0
// Places of the source, as short as they can be without being mistaken for another one.

const LISTS_OF_PLACES = ["sites", "regions", "locks", "hot"];
const files_by_name = new Map();
const rows_by_place = new Map();

const last_parts = (path, parts) => path.split("/").slice(-parts).join("/");

function note_files(report) {
  const ancestry = record(report.ancestry);
  const lists = [...[...LISTS_OF_PLACES, "findings"].map(name => report[name]), ancestry.critical,
    ancestry.blame];
  const places = lists.flatMap(rows =>
    records(rows).flatMap(row => [record(row.place), record(row.holder)]));
  for (const place of places) {
    const file = text(place.file);
    if (!file) continue;
    const name = last_parts(file, 1);
    if (!files_by_name.has(name)) files_by_name.set(name, new Set());
    files_by_name.get(name).add(file);
  }
}

function short_file(file) {
  const several = (files_by_name.get(last_parts(file, 1))?.size ?? 1) > 1;
  return last_parts(file, several ? 2 : 1);
}

function place_text(value) {
  if (typeof value === "string") return value;
  const place = record(value);
  const file = text(place.file);
  if (file) return short_file(file) + (num(place.line) ? `:${place.line}` : "");
  const module = last_parts(text(place.module), 1);
  if (text(place.function)) return place.function + (module ? ` in ${module}` : "");
  return module;
}

function whole_place(value) {
  const place = record(value);
  const line = text(place.file) + (num(place.line) ? `:${place.line}` : "");
  return [line, text(place.function), text(place.module)].filter(Boolean).join("\n");
}

/// The file and line, and the function behind it where there is a line.
function place_element(value) {
  const shown = place_text(value);
  if (!shown) return el("span", { class: "muted" }, "unknown");
  const place = record(value);
  const name = text(place.file) ? text(place.function) : "";
  return el("span", { class: "place", title: whole_place(value) || null },
    el("bdi", {}, el("code", {}, shown)),
    name ? [" ", el("bdi", { class: "muted" }, name)] : null);
}

const place_key = value => whole_place(value) || place_text(value);

/// The same, as a link to the place's row in a table below, if there is one.
function place_link(value) {
  const shown = place_text(value);
  if (!shown) return null;
  const to_row = rows_by_place.get(place_key(value));
  if (!to_row) return place_element(value);
  return el("a", { class: "place", href: `#${to_row.id}`, title: whole_place(value),
    onclick: () => to_row.show() }, el("bdi", {}, el("code", {}, shown)));
}
