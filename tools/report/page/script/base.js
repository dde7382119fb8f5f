// SPDX-License-Identifier: Apache-2.0
// Values of the report that may be missing, figures in words, elements.

const num = value => typeof value === "number" && Number.isFinite(value) ? value : null;
const text = value => typeof value === "string" ? value : "";
const record = value =>
  value !== null && typeof value === "object" && !Array.isArray(value) ? value : {};
const list = value => Array.isArray(value) ? value : [];
const records = value => list(value).map(record).filter(one => Object.keys(one).length > 0);
const numbers = value => list(value).map(one => num(one) ?? 0);
const sum = values => values.reduce((total, value) => total + value, 0);

/// Three digits that count, with separators between thousands.
function digits(value) {
  const rounded = Number(value.toPrecision(3));
  return rounded.toLocaleString("en", { maximumFractionDigits: 20 });
}

function seconds(value) {
  const size = Math.abs(value);
  if (size === 0) return "0 s";
  for (const [unit, name] of [[1, "s"], [1e-3, "ms"], [1e-6, "µs"]]) {
    if (size >= 0.9995 * unit) return `${digits(value / unit)} ${name}`;
  }
  return `${digits(value / 1e-9)} ns`;
}

function count(value) {
  for (const [unit, name] of [[1e9, "billion"], [1e6, "million"]]) {
    if (Math.abs(value) >= unit) return `${digits(value / unit)} ${name}`;
  }
  return Math.abs(value) >= 1000 || Number.isInteger(value)
    ? Math.round(value).toLocaleString("en") : digits(value);
}

function percent(part) {
  const value = 100 * part;
  if (value > 0 && value < 0.1) return "< 0.1 %";
  return `${value < 10 ? Number(value.toFixed(1)) : Math.round(value)} %`;
}

const plural = (number, one, many) => `${count(number)} ${number === 1 ? one : many ?? one + "s"}`;

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== null && value !== undefined && value !== false) {
      element.setAttribute(name, value === true ? "" : value);
    }
  }
  element.append(...children.flat(2).filter(child => child !== null && child !== undefined));
  return element;
}

function el(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

// The page has one drawing from the start, whose kind all others take: no address is spelt out.
const SVG = document.getElementById("patterns").namespaceURI;
function svg(tag, attributes, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

// The list at the end has the words that the page uses.
const used_words = new Set(["worker", "task"]);
function explained(key) {
  if (!WORDS[key]) return null;
  used_words.add(key);
  return WORDS[key][1];
}

/// A word with its explanation on hover and a link to the list of words.
function term(key, label) {
  const word = WORDS[key];
  if (!word) return label ?? key;
  return el("a", { class: "word", href: `#word-${key}`, title: explained(key) }, label ?? word[0]);
}

/// A part of the page; null, and thus nothing, where it has no content.
function section(id, title, lead, ...content) {
  const parts = content.filter(Boolean);
  if (parts.length === 0) return null;
  return el("section", { id, "aria-labelledby": `${id}-title` },
    el("h2", { id: `${id}-title` }, title), lead ? el("p", { class: "lead" }, lead) : null, parts);
}
