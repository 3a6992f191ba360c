// [data-await]: something is being computed; look again after a while that grows. Without script there is a link.
if (document.querySelector("[data-await]")) {
  const tries = Number(sessionStorage.getItem(location.href) ?? 0);
  sessionStorage.setItem(location.href, tries + 1);
  if (tries < 20) setTimeout(() => location.reload(), Math.min(1000 * 1.5 ** tries, 15000));
} else sessionStorage.removeItem(location.href);
