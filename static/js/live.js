// <div id="quorum" data-live="20">: what stands in it is fetched anew every so many seconds while the page is in sight.
for (const part of document.querySelectorAll("[data-live]")) {
  setInterval(() => renew(part.id), part.dataset.live * 1000);
}

async function renew(id) {
  if (document.hidden) return;
  const answer = await fetch(location.href, { headers: { accept: "text/html" } });
  if (!answer.ok || answer.redirected) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const fresh = page.getElementById(id);
  const shown = document.getElementById(id);
  if (fresh && fresh.innerHTML !== shown.innerHTML) shown.replaceChildren(...document.adoptNode(fresh).childNodes);
}
