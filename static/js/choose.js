// <form data-choose="id id">: a choice is applied at once. What its button would fetch is fetched, and the parts of
// these ids are replaced; the last one is the result. Focus, scroll, what was folded out and the way back stay.
const form = document.querySelector("form[data-choose]");
const parts = form.dataset.choose.split(" ");
const result = () => document.getElementById(parts.at(-1));
let shown = location.pathname + location.search, running = new AbortController();

form.addEventListener("change", () => apply(chosen()));
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  await apply(chosen());
  result().scrollIntoView();
  result().focus({ preventScroll: true });
});
document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-choice]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  apply(link.pathname + link.search);
});
addEventListener("popstate", () => apply(location.pathname + location.search, true));

function chosen() {
  return `${new URL(form.action).pathname}?${new URLSearchParams(new FormData(form))}`;
}

async function apply(address, isReturn = false) {
  if (address === shown) return;
  running.abort();
  running = new AbortController();
  const { signal } = running;
  shown = address;
  result().setAttribute("aria-busy", "true");
  try {
    const answer = await fetch(address, { headers: { accept: "text/html" }, signal });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (signal.aborted) return;
    if (!parts.every((id) => page.getElementById(id))) return location.assign(address);
    if (!isReturn) history.pushState(null, "", address);
    replace(page);
  } catch {
    if (!signal.aborted) location.assign(address);
  }
}

function replace(page) {
  const focus = selectorOf(document.activeElement), before = top(focus);
  const open = [...document.querySelectorAll("details[open][id]")].map((found) => found.id);
  for (const id of parts) {
    const fresh = document.adoptNode(page.getElementById(id));
    document.getElementById(id).replaceWith(fresh);
    fresh.dispatchEvent(new Event("fresh", { bubbles: true }));
  }
  for (const id of open) document.getElementById(id)?.setAttribute("open", "");
  document.title = page.title;
  form.querySelector("[role=status]").textContent = page.querySelector("form[data-choose] [role=status]").textContent;
  const again = focus && document.querySelector(focus);
  if (!again) return;
  again.focus({ preventScroll: true });
  again.scrollIntoView({ block: "nearest", inline: "nearest" });
  scrollBy({ top: top(focus) - before, behavior: "instant" });
}

// How to find the same control or link again in the parts that replace these.
function selectorOf(element) {
  if (element?.dataset?.choice) return `[data-choice="${CSS.escape(element.dataset.choice)}"]`;
  if (!element?.name || !form.contains(element)) return "";
  const value = element.type === "radio" ? `[value="${CSS.escape(element.value)}"]` : "";
  return `[name="${CSS.escape(element.name)}"]${value}`;
}

function top(selector) {
  return (selector && document.querySelector(selector)?.getBoundingClientRect().top) || 0;
}
