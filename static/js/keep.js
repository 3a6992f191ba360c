// <form data-keep="name">: what is typed stays in this tab until it is saved, also when signing in comes between.
// It comes back to the same person only: somebody else may sign in next.
// The page that follows a save loads this too. What was sent is forgotten there: the form is gone, or the address
// ends in what `data-keep-until` names, as "#comment-".
const forms = [...document.querySelectorAll("form[data-keep]")];
const key = (form) => `kept:${document.body.dataset.person ?? ""}:${form.dataset.keep}`;
const sent = sessionStorage.getItem("kept-sent");
const asked = forms.find((form) => key(form) === sent);
const saved = asked?.dataset.keepUntil && location.hash.startsWith(asked.dataset.keepUntil);
sessionStorage.removeItem("kept-sent");
if (sent && (!asked || saved)) sessionStorage.removeItem(sent);

for (const form of forms) {
  const typed = () => JSON.stringify([...new FormData(form)].filter(([name]) => name !== "csrfmiddlewaretoken"));
  const first = typed(), kept = sessionStorage.getItem(key(form));
  if (kept && kept !== first && !("refused" in form.dataset)) restore(form, new Map(JSON.parse(kept)));
  form.addEventListener("input", () => sessionStorage.setItem(key(form), typed()));
  form.addEventListener("submit", () => sessionStorage.setItem("kept-sent", key(form)));
}

function restore(form, values) {
  for (const field of form.elements) {
    if (!field.name || field.type === "hidden") continue;
    const value = values.get(field.name);
    if (field.type === "checkbox") field.checked = values.has(field.name);
    else if (field.type === "radio") field.checked = field.value === value;
    else field.value = value ?? "";
    const isTicked = field.type === "checkbox" || field.type === "radio";
    if (isTicked ? field.checked !== field.defaultChecked : field.value !== (field.defaultValue ?? "")) {
      field.closest("details")?.setAttribute("open", "");
    }
  }
  const note = form.querySelector("[data-kept]");
  note.hidden = false;
  note.querySelector("button").addEventListener("click", () => {
    form.reset();
    sessionStorage.removeItem(key(form));
    note.hidden = true;
  });
}
