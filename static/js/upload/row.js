// A line of the list of files to send: what the file is for, how far it is, what became of it.
const number = new Intl.NumberFormat(document.documentElement.lang, { minimumFractionDigits: 1, maximumFractionDigits: 1, useGrouping: false });
const UNITS = [[1e9, "GB"], [1e6, "MB"], [1e3, "kB"]];

// As the portal writes sizes (ui.size).
function size(bytes) {
  const [unit, name] = UNITS.find(([unit]) => bytes >= unit) ?? [1, "bytes"];
  return unit > 1 ? `${number.format(bytes / unit)} ${name}` : `${bytes} ${name}`;
}

export class Row {
  constructor(form, file) {
    this.form = form;
    this.file = file;
    this.element = form.querySelector("[data-upload-row]").content.firstElementChild.cloneNode(true);
    this.kind = /\.(deb|rpm)$/.exec(file.name)?.[1] ?? "";
    this.find("[data-name]").textContent = file.name;
    this.find("td.num").textContent = size(file.size);
    this.find("[data-remove] span").textContent = " " + file.name;
    for (const label of this.element.querySelectorAll("[data-format]")) label.hidden = label.dataset.format !== this.kind;
    this.sent = 0;
    this.show("ready");
  }

  find(selector) { return this.element.querySelector(selector); }
  boxes() { return [...this.element.querySelectorAll("input[type=checkbox]")]; }

  // What the person chose; nothing where they leave it to the name.
  chosen() {
    return { distributions: this.boxes().filter((box) => box.checked).map((box) => box.value), os: this.find("[data-os]").value, cpu: this.find("[data-cpu]").value };
  }

  fill({ distributions = [], os = "", cpu = "" }) {
    for (const box of this.boxes()) box.checked = distributions.includes(box.value);
    this.find("[data-os]").value = os;
    this.find("[data-cpu]").value = cpu;
    this.summarise();
  }

  summarise() {
    const names = this.boxes().filter((box) => box.checked).map((box) => box.parentElement.textContent.trim());
    const said = this.kind ? names : [this.find("[data-os]").value, this.find("[data-cpu]").value].filter(Boolean);
    this.find("summary").textContent = said.join(", ") || (this.kind ? this.form.dataset.wordChoose : "—");
  }

  show(state, reason = "") {
    this.state = state;
    const word = this.form.dataset["word" + state[0].toUpperCase() + state.slice(1)];
    const label = this.find("[data-state]");
    if (label.textContent !== word) label.textContent = word;
    label.className = "badge " + ({ accepted: "good", refused: "bad", failed: "bad" }[state] ?? "");
    this.find("[data-reason]").textContent = reason;
    this.find("[data-reason]").classList.toggle("bad", state !== "ready");
    this.find("[data-reason]").hidden = !reason;
    this.find("progress").hidden = !["reading", "sending", "waiting", "paused"].includes(state);
    this.find("[data-remove]").hidden = !["ready", "failed"].includes(state);
    for (const input of this.element.querySelectorAll("input, select")) input.disabled = !["ready", "failed"].includes(state);
  }

  progress(done) {
    this.find("progress").value = (100 * done) / Math.max(this.file.size, 1);
  }
}
