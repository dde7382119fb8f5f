// SPDX-License-Identifier: Apache-2.0
// usage: node branches_test.js FOLDER
//
// FOLDER has the page's scripts. Checks how the branches of a report become boxes.
"use strict";
const assert = require("assert");
const fs = require("fs");
const path = require("path");
const vm = require("vm");

const context = vm.createContext({ document: { getElementById: () => ({ namespaceURI: "svg" }) } });
const scripts = ["words", "base", "place", "shares", "chart", "table", "icicle"];
const text = scripts.map(name => fs.readFileSync(path.join(process.argv[2], `${name}.js`), "utf8"));
vm.runInContext(`${text.join("\n")};
  this.page = { branch_tree, branch_label, each_box, depth_below };`, context);
const { branch_tree, branch_label, each_box, depth_below } = context.page;

const place = (file, line, name) => ({ file, line, function: name });
const all = branch_tree([
  { parent: -1, kind: "program", s: 10 },
  { parent: 0, kind: "fork", place: place("/a/sort.cpp", 8, "sort(int)"), s: 6 },
  { parent: 0, kind: "outside", s: 3 },
  { parent: 1, kind: "function", place: place("/a/merge.cpp", 41, "merge"), s: 3 },
]);
assert.deepStrictEqual(Array.from(all, branch_label),
  ["the program", "sort sort.cpp:8", "outside of tasks and regions", "merge"]);
assert.strictEqual(depth_below(all[0]), 3);
const boxes = [];
each_box(all[0], 0, 100, (branch, left, right) => boxes.push([branch.depth, left, right]));
assert.deepStrictEqual(boxes, [[0, 0, 100], [1, 0, 60], [2, 0, 30], [1, 60, 90]]);

// A list that was cut, or made by others: what has no parent ends it.
assert.strictEqual(branch_tree([{ parent: -1, s: 1 }, { parent: 5, s: 1 }]), null);
assert.strictEqual(branch_tree([{ parent: -1, s: 0 }, { parent: 0, s: 0 }]), null);
assert.strictEqual(branch_tree("no list"), null);
assert.strictEqual(branch_tree([{ parent: -1, s: 1 }, { parent: 0, s: "x" }, { parent: 9, s: 1 }]).length, 2);
