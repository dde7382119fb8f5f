// SPDX-License-Identifier: Apache-2.0
// Opens every page of the built site in a browser and says what is wrong: look.mjs SITE MODULES [PICTURES]
//
// Each page: no request to another host, nothing on the console, no violation that axe finds, in light, in dark and on
// a small screen; there, at 390 pixels, the page is no wider than the window. All pages together: each link within the
// site leads to a page and to an anchor of it. The search finds what WANTED says, from a server and from files. MODULES
// is the folder with axe-core and puppeteer-core; PICTURES gets pictures of the pages of SHOWN. CHROMIUM names the
// browser; ONLY, for trying, a pattern of pages to look at.
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { mkdir, readFile, readdir, stat } from "node:fs/promises";
import { join, normalize, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [site, modules, pictures] = process.argv.slice(2).map(argument => resolve(argument));
const require = createRequire(join(modules, "node_modules/"));
const puppeteer = require("puppeteer-core");
const axe = await readFile(require.resolve("axe-core/axe.min.js"), "utf8");

const WANTED = {
  task_group: "reference/cpp/task.html",
  KASURI_NUM_WORKERS: "reference/settings.html",
  libgomp: "how-to/openmp.html",
  parallel_for: "reference/cpp/parallel_for.html",
};
const SHOWN = ["index", "tutorial", "how-to/loops", "how-to/openmp", "reference/cpp", "reference/cpp/task", "reference/c",
  "reference/settings", "reference/commands", "benchmarks", "groups/tasks-and-loops"];
const WIDE = { width: 1280, height: 900 };
const NARROW = { width: 390, height: 844 };
const TYPES = { html: "text/html", css: "text/css", js: "text/javascript", svg: "image/svg+xml", png: "image/png" };

let problems = 0;
function complain(page, what) {
  ++problems;
  console.log(`${page}: ${what}`);
}

async function serve(folder) {
  const server = createServer(async (request, response) => {
    const path = normalize(decodeURIComponent(request.url.split("?")[0]));
    try {
      const body = await readFile(join(folder, path));
      response.writeHead(200, { "content-type": TYPES[path.split(".").pop()] ?? "application/octet-stream" });
      response.end(body);
    } catch {
      response.writeHead(404);
      response.end();
    }
  });
  await new Promise(done => server.listen(0, "127.0.0.1", done));
  const { address, port } = server.address();
  return { base: `http:${"//"}${address}:${port}/`, close: () => server.close() };
}

// Tells of what a page asks for and complains of.
function listen(tab, name, base) {
  tab.on("request", request => {
    const url = request.url();
    if (!url.startsWith(base) && !url.startsWith("data:")) complain(name(), `asks for ${url}`);
  });
  tab.on("requestfailed", request => complain(name(), `${request.url()} does not come: ${request.failure()?.errorText}`));
  tab.on("response", response => {
    if (response.status() >= 400) complain(name(), `${response.url()}: status ${response.status()}`);
  });
  tab.on("console", message => {
    if (["error", "warn"].includes(message.type())) complain(name(), `console: ${message.text()}`);
  });
  tab.on("pageerror", error => complain(name(), `script: ${error.message}`));
}

// The page is the same in dark, but for its colours, and on a small screen, but for what scrolls there.
const LOOKS = [["light", WIDE, null], ["dark", WIDE, ["color-contrast", "link-in-text-block"]],
  ["light", NARROW, ["scrollable-region-focusable", "color-contrast"]]];

async function violations(tab, rules) {
  return tab.evaluate(async only => {
    const { violations } = await axe.run(document, { resultTypes: ["violations"], ...only ? { runOnly: only } : {} });
    return violations.map(one => `${one.id} (${one.help}) at ${one.nodes.length} places, first: `
      + `${one.nodes[0].target.join(" ")}: ${one.nodes[0].html.slice(0, 160)}`);
  }, rules);
}

// What sticks out of the window, but for what lies in a box that scrolls by itself; null: nothing. Runs in the page.
function widest() {
  const right = one => one.getBoundingClientRect().right;
  const scrolls = one => ["auto", "scroll"].includes(getComputedStyle(one).overflowX) && right(one) <= innerWidth + 1;
  const inside = one => one.matches("article, main, body") ? false : scrolls(one) || inside(one.parentElement);
  const found = [...document.querySelectorAll("article *, main *")]
    .filter(one => right(one) > innerWidth + 1 && one.closest("article, main") && !inside(one));
  if (document.documentElement.scrollWidth > innerWidth) found.push(document.documentElement);
  return found.length ? `${found[0].outerHTML.slice(0, 120)} ends at ${Math.round(right(found[0]))}` : null;
}

const scheme = (tab, value) => tab.emulateMediaFeatures([{ name: "prefers-color-scheme", value }]);

async function lookAt(tab, page, base, found) {
  await scheme(tab, "light");
  await tab.setViewport(WIDE);
  await tab.goto(base + page, { waitUntil: "load" });
  found.set(page, await tab.evaluate(() => ({
    ids: [...document.querySelectorAll("[id], a[name]")].map(one => one.id || one.name),
    links: [...document.querySelectorAll("a[href]")].map(one => one.href),
  })));
  await tab.evaluate(axe);
  for (const [colours, size, rules] of LOOKS) {
    await scheme(tab, colours);
    await tab.setViewport(size);
    for (const line of await violations(tab, rules)) complain(page, `axe, ${colours}, ${size.width} pixels: ${line}`);
  }
  const wide = await tab.evaluate(widest);
  if (wide) complain(page, `is wider than a window of ${NARROW.width} pixels: ${wide}`);
}

function checkLinks(found, base) {
  let count = 0;
  for (const [page, { links }] of found) {
    for (const link of new Set(links.filter(one => one.startsWith(base)))) {
      const [path, anchor] = link.slice(base.length).split("#");
      const target = decodeURIComponent(path.split("?")[0]) || "index.html";
      ++count;
      if (!found.has(target)) complain(page, `links to ${target}, which is not there`);
      else if (anchor && !found.get(target).ids.includes(decodeURIComponent(anchor)))
        complain(page, `links to ${target}#${anchor}, which is not there`);
    }
  }
  return count;
}

async function checkSearch(tab, base, how) {
  for (const [word, page] of Object.entries(WANTED)) {
    await tab.goto(`${base}search.html?q=${word}`, { waitUntil: "load" });
    const wanted = base + page;
    const links = () => tab.evaluate(() => [...document.querySelectorAll("#search-results li a")].map(one => one.href));
    const end = Date.now() + 20000;
    let got = [];
    do got = await links();
    while (!got.some(one => one.startsWith(wanted)) && Date.now() < end
      && await new Promise(done => setTimeout(() => done(true), 200)));
    if (!got.some(one => one.startsWith(wanted)))
      complain(`search.html ${how}`, `${word} does not find ${page}; found: ${got.slice(0, 5).join(" ") || "nothing"}`);
  }
}

async function takePictures(tab, base) {
  await mkdir(pictures, { recursive: true });
  for (const page of SHOWN) {
    for (const [size, view] of [["1280", WIDE], ["390", NARROW]]) {
      for (const colours of ["light", "dark"]) {
        await scheme(tab, colours);
        await tab.setViewport(view);
        await tab.goto(`${base}${page}.html`, { waitUntil: "load" });
        await tab.screenshot({ path: join(pictures, `${page.replaceAll("/", "-")}-${size}-${colours}.png`) });
      }
    }
  }
}

const files = (await readdir(site, { recursive: true })).filter(name => name.endsWith(".html")).sort();
if (files.length === 0) throw new Error(`${site} has no pages`);
await stat(join(site, "search.html"));
const { base, close } = await serve(site);
const browser = await puppeteer.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", headless: true, defaultViewport: null, protocolTimeout: 900000,
  args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"],
});
try {
  const tab = await browser.newPage();
  let name = "";
  listen(tab, () => name, base);
  const found = new Map();
  const chosen = process.env.ONLY ? files.filter(one => one.match(process.env.ONLY)) : files;
  for (name of chosen) {
    await lookAt(tab, name, base, found);
    if (found.size % 25 === 0) console.error(`${found.size} of ${chosen.length} pages`);
  }
  const links = process.env.ONLY ? 0 : checkLinks(found, base);
  await scheme(tab, "light");
  await tab.setViewport(WIDE);
  name = "search.html";
  await checkSearch(tab, base, "from a server");
  const folder = pathToFileURL(site + "/").href;
  const other = await browser.newPage();
  listen(other, () => name, folder);
  await other.setViewport(WIDE);
  await checkSearch(other, folder, "from files");
  if (pictures) await takePictures(other, folder);
  console.log(`${found.size} pages, ${links} links within the site, ${Object.keys(WANTED).length} searches, twice`);
} finally {
  await browser.close();
  close();
}
console.log(problems ? `${problems} problems` : "nothing is wrong");
process.exitCode = problems ? 1 : 0;
