// SPDX-License-Identifier: Apache-2.0
// The shares into which all time of the workers is divided. The same colours everywhere; the order
// keeps colours apart that are hard to tell from one another.

const SHARES = {
  work: { names: ["work"] },
  serial: { names: ["serial work", "serial", "one thread alone"] },
  stretch: { names: ["stretch", "work stretch"] },
  runtime: { names: ["runtime", "overhead"] },
  lock: { names: ["waiting: lock", "waiting for locks"] },
  barrier: { names: ["waiting: barrier", "waiting at barriers"] },
  waiting: { names: ["waiting"] },
  late: { names: ["delay", "late"] },
  no_work: { names: ["no work", "no-work"] },
  asleep: { names: ["program asleep"] },
  blocked: { names: ["blocked", "asleep in the system"] },
  crowded: { names: ["own threads share processors"] },
  others: { names: ["others", "other programs"] },
};

const share_key = name =>
  Object.keys(SHARES).find(key => SHARES[key].names.includes(name.toLowerCase())) ?? "unknown";

/// [{key, label, seconds}] in the order of SHARES; unknown ones last, under their own name.
function shares_of(report) {
  const order = [...Object.keys(SHARES), "unknown"];
  return records(report.shares)
    .filter(share => num(share.seconds) > 0)
    .map(share => ({ key: share_key(text(share.name)), label: text(share.name),
      seconds: share.seconds }))
    .map(share => share.key === "unknown" ? share : { ...share, label: WORDS[share.key][0] })
    .sort((a, b) => order.indexOf(a.key) - order.indexOf(b.key));
}

const swatch = key => el("span", { class: `swatch fill-${key}`, "aria-hidden": "true" });

function legend_entry(share, total) {
  return el("li", {}, swatch(share.key),
    share.key === "unknown" ? share.label : term(share.key, share.label),
    " ", el("b", {}, percent(share.seconds / total)), " ",
    el("span", { class: "muted" }, seconds(share.seconds)));
}

function shares_bar(report) {
  const shares = shares_of(report);
  const total = sum(shares.map(share => share.seconds));
  if (!(total > 0)) return null;
  const part = share => el("div", {
    class: `fill-${share.key}`, style: `flex-grow:${share.seconds / total}`,
    title: `${share.label}: ${seconds(share.seconds)}, ${percent(share.seconds / total)}`,
  }, el("span", {}, percent(share.seconds / total)));
  const said = shares.map(share => `${share.label} ${percent(share.seconds / total)}`).join(", ");
  const workers = num(report.workers);
  const time = num(report.seconds);
  const whole = workers && time
    ? `: ${plural(workers, "worker")} × ${seconds(time)} = ${seconds(workers * time)}` : "";
  return section("time", "Where the time went" + whole, null,
    el("div", { class: "bar", role: "img", "aria-label": said }, shares.map(part)),
    el("ul", { class: "legend" }, shares.map(share => legend_entry(share, total))));
}

/// Hatches for the drawings, over the colours of the shares that have one in the bars too.
function make_patterns() {
  const hatch = (id, turn) => svg("pattern", { id, width: 6, height: 6,
    patternUnits: "userSpaceOnUse", patternTransform: `rotate(${turn})` },
    svg("rect", { width: 2, height: 6, class: id }));
  document.getElementById("patterns").append(svg("defs", {}, hatch("hatch-late", 45),
    hatch("hatch-waiting", -45)));
}
