// Theme choice. The server renders data-theme from the cookie; this only spares the round trip.
const root = document.documentElement;

document.addEventListener("submit", (event) => {
  if (!event.target.matches("[data-theme-form]")) return;
  event.preventDefault();
  const choice = event.submitter.value;
  if (choice === "system") delete root.dataset.theme;
  else root.dataset.theme = choice;
  const secure = location.protocol === "https:" ? "; secure" : "";
  document.cookie = `theme=${choice}; path=/; max-age=31536000; samesite=lax${secure}`;
  for (const b of event.target.querySelectorAll("button"))
    b.setAttribute("aria-pressed", String(b === event.submitter));
});
