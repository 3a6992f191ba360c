// [data-await]: something is being computed; look again after a while that grows, unless somebody fills
// in a form meanwhile. Without script there is a link.
let touched = false;
addEventListener("input", () => (touched = true));
const look = () => touched || document.activeElement?.form || document.querySelector("main details[open] form[method=post]") || location.reload();
if (document.querySelector("[data-await]")) {
  const tries = Number(sessionStorage.getItem(location.href) ?? 0);
  sessionStorage.setItem(location.href, tries + 1);
  if (tries < 20) setTimeout(look, Math.min(1000 * 1.5 ** tries, 15000));
} else sessionStorage.removeItem(location.href);
