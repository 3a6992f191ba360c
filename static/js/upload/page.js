// <form data-upload>: choose or drop files, send them one after the other, show what became of them.
import { Portal, Refused, digest, send } from "./file.js";
import { Row } from "./row.js";

const form = document.querySelector("form[data-upload]");
const { product, version, digester } = form.dataset, words = form.dataset;
const part = (name) => form.querySelector(`[data-upload-${name}]`);
const input = form.querySelector("input[type=file]"), pause = part("pause"), total = part("total"), list = part("list");
const worker = new Worker(digester, { type: "module" });
const token = form.elements.csrfmiddlewaretoken.value;
const checking = new Set();
let rows = [], running = false, paused = null, stop = new AbortController(), current = null, rate = 0;

const gate = async () => {
  if (paused) await paused.promise;
  return stop.signal;
};
const portal = new Portal(token, gate, () => current?.show("waiting"), words.wordLost);
const asked = (row) => ({ product, version, name: row.file.name, size: row.file.size, ...row.chosen() });
const defaults = (kind) => ({
  distributions: [...form.querySelectorAll("[name=distributions]:checked")].map((box) => box.value).filter((slug) => /^(debian|ubuntu)/.test(slug) === (kind === "deb")),
});

// Whoever presses "Send" meanwhile waits for these.
function looking(promise) {
  checking.add(promise);
  promise.finally(() => checking.delete(promise));
}

// What the portal makes of the name, or why it would not take the file.
async function check(row, guess = true) {
  const fallback = defaults(row.kind);
  const tries = guess && row.kind && fallback.distributions.length ? [row.chosen(), fallback] : [row.chosen()];
  for (const chosen of tries) {
    const found = await portal.json("POST", "/check", { ...asked(row), ...chosen }).catch((error) => ({ problem: error.message }));
    row.fill(found.distributions ? found : chosen);
    if (found.problem) row.show("failed", found.problem);
    else return row.show("ready", found.state === "open" ? words.wordOpen : "");
  }
  row.find("details").open = Boolean(row.kind);
}

async function add(files) {
  rows = rows.filter((row) => !["accepted", "refused"].includes(row.state) || row.element.remove());
  for (const file of files) {
    if (rows.some((row) => row.file.name === file.name)) continue;
    const row = new Row(form, file);
    rows.push(row);
    list.tBodies[0].append(row.element);
    list.hidden = false;
    row.find("[data-remove]").addEventListener("click", () => {
      rows = rows.filter((other) => other !== row);
      row.element.remove();
      list.hidden = !rows.length;
      input.focus();
    });
    row.element.addEventListener("change", () => looking(check(row, false)));
    await check(row);
  }
}

function tell(news = "") {
  const done = rows.filter((row) => ["accepted", "refused", "failed"].includes(row.state));
  const going = rows.filter((row) => row.state !== "failed");
  const bytes = going.reduce((sum, row) => sum + row.file.size, 0), sent = going.reduce((sum, row) => sum + row.sent, 0);
  const share = Math.floor((100 * sent) / Math.max(bytes, 1));
  total.hidden = false;
  total.querySelector("progress").value = share;
  const said = { done: done.length, count: rows.length, share, rate: rate ? `${(rate / 1e6).toFixed(1)} MB/s` : "—" };
  total.querySelector("[data-rate]").textContent = words.wordTotal.replace(/\{(\w+)\}/g, (_, name) => said[name]);
  if (news) total.querySelector("[role=status]").textContent = news;
}

async function sendRow(row) {
  current = row;
  try {
    row.show("reading");
    const sha256 = await digest(worker, row.file, (done) => row.progress(done));
    let since = performance.now(), from = 0;
    const found = await send(portal, row.file, { ...asked(row), sha256 }, {
      onState: (state) => row.state !== state && row.show(state),
      onProgress: (offset, first) => {
        if (first) [since, from] = [performance.now(), offset];
        else rate = ((offset - from) / (performance.now() - since)) * 1000;
        row.sent = offset;
        row.progress(offset);
        tell();
      },
    });
    row.show(found.state, found.reason);
  } catch (error) {
    row.show("failed", error instanceof Refused ? error.message : `${error.name}: ${error.message}`);
  }
  row.sent = row.file.size;
  tell(`${row.file.name}: ${row.find("[data-state]").textContent}`);
}

async function refresh() {
  const page = await fetch(location.href).then((answer) => answer.text()).catch(() => "");
  const fresh = new DOMParser().parseFromString(page, "text/html");
  for (const id of ["uploads", "publish"]) {
    const [old, now] = [document.getElementById(id), fresh.getElementById(id)];
    if (old && now) old.replaceWith(document.adoptNode(now));
  }
}

function over() {
  const count = (_, state) => rows.filter((row) => row.state === state).length;
  tell(words.wordOver.replace(/\{(\w+)\}/g, count));
}

async function run() {
  if (running) return;
  running = true;
  pause.hidden = false;
  for (let row; (row = rows.find((found) => found.state === "ready")); ) await sendRow(row);
  running = false;
  pause.hidden = true;
  current = null;
  over();
  await refresh();
}

function toggle() {
  const before = pause.textContent;
  pause.textContent = pause.dataset.goOn;
  pause.dataset.goOn = before;
  if (paused) {
    paused.open();
    paused = null;
    return;
  }
  paused = {};
  paused.promise = new Promise((open) => { paused.open = open; });
  stop.abort();
  stop = new AbortController();
  current?.show("paused");
}

input.required = false;
part("plain").hidden = true;
part("script").hidden = false;
input.addEventListener("change", async () => {
  const files = [...input.files];
  input.value = "";
  looking(add(files));
});
const drop = part("drop");
for (const kind of ["dragover", "dragleave", "drop"]) drop.addEventListener(kind, (event) => {
  event.preventDefault();
  drop.classList.toggle("over", kind === "dragover");
  if (kind === "drop") looking(add([...event.dataTransfer.files]));
});
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  await Promise.all(checking);
  if (rows.some((row) => row.state === "ready")) return run();
  if (rows.length) over();
  else input.focus();
});
pause.addEventListener("click", toggle);
addEventListener("beforeunload", (event) => running && event.preventDefault());
