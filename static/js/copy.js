// <button data-copy="id">: copies the text of that element. Hidden until the script runs; the words are the server's.
const reveal = (part) => { for (const button of part.querySelectorAll("[data-copy]")) button.hidden = false; };
reveal(document);
document.addEventListener("fresh", (event) => reveal(event.target));

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const source = document.getElementById(button.dataset.copy);
  const label = button.querySelector("span");
  const before = (button.dataset.label ??= label.textContent);
  try {
    await navigator.clipboard.writeText(source.innerText.trim() + "\n");
    label.textContent = button.dataset.copied;
  } catch {
    getSelection().selectAllChildren(source);
    label.textContent = button.dataset.failed;
  }
  setTimeout(() => { label.textContent = before; }, 2000);
});
