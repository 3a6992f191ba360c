// [data-await]: something is being computed; look again after a while that grows, unless somebody fills
// in a form meanwhile. data-await="1": first each second, and never given up: somebody waits for money.
// Without script there is a link.
let touched = false;
addEventListener("input", () => (touched = true));
const look = () => touched || document.activeElement?.form || document.querySelector("main details[open] form[method=post]") || location.reload();
const waits = document.querySelector("[data-await]");
if (waits) {
  const tries = Number(sessionStorage.getItem(location.href) ?? 0);
  sessionStorage.setItem(location.href, tries + 1);
  const quick = tries < 30 ? Number(waits.dataset.await) : 0;
  const pause = quick || Math.min(1.5 ** tries, 15);
  if (tries < 20 || waits.dataset.await) setTimeout(look, pause * 1000);
} else sessionStorage.removeItem(location.href);
