// "/" leads to the search box; not while somebody writes.
const box = document.querySelector("[data-search]");

document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
  if (!box || event.target.closest("input, textarea, select")) return;
  event.preventDefault();
  if (!box.checkVisibility()) box.closest("[popover]")?.showPopover();
  box.select();
});
