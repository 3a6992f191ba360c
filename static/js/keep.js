// <form data-keep="name">: what is typed stays in this tab until it is saved, also when signing in comes between.
// The page that follows a save loads this too: it is not that form any more, so what was sent can be forgotten.
const form = document.querySelector("form[data-keep]");
const key = form && `kept:${form.dataset.keep}`;
const sent = sessionStorage.getItem("kept-sent");
sessionStorage.removeItem("kept-sent");
if (sent && sent !== key) sessionStorage.removeItem(sent);

if (form) {
  const typed = () => JSON.stringify([...new FormData(form)].filter(([name]) => name !== "csrfmiddlewaretoken"));
  const first = typed(), kept = sessionStorage.getItem(key);
  if (kept && kept !== first && !("refused" in form.dataset)) restore(new Map(JSON.parse(kept)));
  form.addEventListener("input", () => sessionStorage.setItem(key, typed()));
  form.addEventListener("submit", () => sessionStorage.setItem("kept-sent", key));
}

function restore(values) {
  for (const field of form.elements) {
    if (!field.name || field.type === "hidden") continue;
    if (field.type === "checkbox") field.checked = values.has(field.name);
    else field.value = values.get(field.name) ?? "";
    if (field.type === "checkbox" ? field.checked : field.value) field.closest("details")?.setAttribute("open", "");
  }
  const note = form.querySelector("[data-kept]");
  note.hidden = false;
  note.querySelector("button").addEventListener("click", () => {
    form.reset();
    sessionStorage.removeItem(key);
    note.hidden = true;
  });
}
