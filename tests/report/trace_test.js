// SPDX-License-Identifier: Apache-2.0
// usage: node trace_test.js FOLDER
//
// FOLDER has the page's scripts. Checks the window of a timeline that the page saves as a trace.
"use strict";
const assert = require("assert");
const fs = require("fs");
const path = require("path");
const vm = require("vm");

// What the scripts touch of a page when they are loaded.
const context = vm.createContext({ document: { getElementById: () => ({ namespaceURI: "svg" }) } });
const scripts = ["words", "base", "place", "shares", "chart", "trace", "timeline"];
const text = scripts.map(name => fs.readFileSync(path.join(process.argv[2], `${name}.js`), "utf8"));
vm.runInContext(`${text.join("\n")};
  this.page = { timeline_data, window_trace, trace_file_name, unpacked };`, context);
const { timeline_data, window_trace, trace_file_name, unpacked } = context.page;
const plain = value => JSON.parse(JSON.stringify(value));

assert.deepStrictEqual(Array.from(unpacked("A2yZ", 4)), [0, 0, 1, 0.5]);
assert.deepStrictEqual(Array.from(unpacked("y9", 3)), [1, 1, 1]);
assert.deepStrictEqual(Array.from(unpacked("?<y", 2)), [1, 0]);

assert.strictEqual(timeline_data({}), null);
assert.strictEqual(timeline_data({ timeline: { bin_s: 0, bins: 3, groups: [{ work: "y3" }] } }), null);
assert.strictEqual(timeline_data({ timeline: { bin_s: 1, bins: 3, groups: [{ first: 0 }] } }), null);

const data = timeline_data({ seconds: 1.75, timeline: { bin_s: 0.5, bins: 4, groups: [
  { first: 0, last: 0, work: "y2A2", lock: "A2yA" },
  { first: 1, last: 3, work: "Z4", no_work: "Z4" }] } });
const events = plain(window_trace(data, 1, 4, "a \"program\"")).traceEvents;
const of = ph => events.filter(event => event.ph === ph);

assert.strictEqual(of("M").find(event => event.name === "process_name").args.name, "a \"program\"");
assert.deepStrictEqual(of("M").filter(event => event.name === "thread_name")
  .map(event => [event.tid, event.args.name]), [[1, "worker 0"], [2, "workers 1 to 3"]]);
// Times are microseconds; a bin in which nothing was seen has no slice, the last bin ends with the run.
assert.deepStrictEqual(of("X").map(({ tid, name, ts, dur }) => [tid, name, ts, dur]), [
  [1, "work", 500000, 500000], [1, "waiting for locks", 1000000, 500000],
  [2, "work", 500000, 1250000]]);
assert.deepStrictEqual(of("X")[2].args, { work: "50 %", "no work": "50 %" });
assert.deepStrictEqual(of("C").map(event => [event.ts, event.args]), [
  [500000, { work: 2.5, "waiting for locks": 0, "no work": 1.5 }],
  [1000000, { work: 1.5, "waiting for locks": 1, "no work": 1.5 }],
  [1500000, { work: 1.5, "waiting for locks": 0, "no work": 1.5 }]]);

assert.strictEqual(trace_file_name("/a/b c<d>", 0.5, 2), "b_c_d_-0.500s-2.000s.trace.json");
