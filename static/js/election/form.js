// <form data-ballot="order|ranks|marks">: the candidates of one contest. Names what is wrong beside the box that it is
// about, says each change aloud, and never changes what was typed by itself.
import * as marks from "./marks.js";
import * as order from "./order.js";
import * as ranks from "./ranks.js";
import { wordsOf } from "./words.js";

const KINDS = { order, ranks, marks };
const isTicked = (input) => input.type === "checkbox" || input.type === "radio";

export class BallotForm extends EventTarget {
  constructor(form) {
    super();
    Object.assign(this, { form, kind: KINDS[form.dataset.ballot], say: wordsOf(form), gaps: false });
    for (const part of form.querySelectorAll("[data-scripted]")) part.hidden = false;
    form.addEventListener("input", () => this.show());
    form.addEventListener("change", (event) => this.tell(this.kind.tell(event.target.closest("[data-place]"), this.rows, this.say)));
    form.addEventListener("click", (event) => this.clicked(event.target.closest("button")));
    form.addEventListener("submit", (event) => this.submitted(event));
    this.show();
  }

  get rows() { return [...this.form.querySelectorAll("[data-place]")]; }
  part(name) { return this.form.querySelector(`[data-ballot-${name}]`); }
  read() { return this.kind.read(this.rows, this.say, this.form); }
  tell(text) { this.part("status").textContent = text; }

  // A gap is no mistake while somebody still writes: it is named when they ask for the review.
  show() {
    const found = this.read(), problems = found.problems.filter((problem) => this.gaps || !problem.isGap);
    for (const row of this.rows) {
      const said = row.querySelector("[data-problem]"), own = problems.find((problem) => problem.row === row);
      said.hidden = !own;
      said.querySelector("span").textContent = own?.text ?? "";
      for (const control of row.querySelectorAll("[data-rank], [data-mark]")) control.setAttribute("aria-invalid", String(Boolean(own)));
    }
    this.part("close-up")?.toggleAttribute("hidden", !problems.length || !problems.every((problem) => problem.isGap));
    this.part("count").textContent = this.kind.summary(found, this.rows, this.say);
    this.dispatchEvent(new Event("change"));
    return { ...found, problems };
  }

  clicked(button) {
    const row = button?.closest("[data-place]");
    if (button?.dataset.move) this.move(row, Number(button.dataset.move), button);
    else if (button?.matches("[data-ballot-close-up]")) {
      const ranked = this.read().choice.order.map((place) => this.form.querySelector(`[data-place="${place}"]`));
      order.renumber(ranked, this.rows);
      this.tell(this.show() && this.kind.summary(this.read(), this.rows, this.say));
      order.box(ranked[0]).focus();
    } else if (button?.matches("[data-ballot-clear]")) {
      this.fill({});
      this.tell(this.say("cleared"));
    }
  }

  move(row, step, button) {
    const wrong = this.read().problems.find((problem) => !problem.isGap);
    this.tell(wrong ? this.say("first-correct", { name: wrong.row.dataset.name, text: wrong.text }) : this.kind.move(row, step, this.rows, this.say));
    this.show();
    button.focus({ preventScroll: true });
    button.scrollIntoView({ block: "nearest" });
  }

  submitted(event) {
    this.gaps = true;
    const found = this.show(), isBlank = event.submitter?.value === "blank";
    const [first] = found.problems;
    if (!isBlank && (first || found.isBlank)) {
      event.preventDefault();
      this.tell(first ? this.say("first-correct", { name: first.row.dataset.name, text: first.text }) : this.say("nothing"));
      (first ? first.row : this.rows[0]).querySelector("[data-rank], [data-mark]").focus();
      this.part("nothing").hidden = Boolean(first);
      if (!first) this.part("nothing").scrollIntoView({ block: "nearest" });
      return;
    }
    this.part("nothing").hidden = true;
    const review = new CustomEvent("review", { cancelable: true, detail: { choice: found.choice, isBlank } });
    if (!this.dispatchEvent(review)) event.preventDefault();
  }

  // What stands in the boxes, to be kept and put back: {place: text}.
  typed() {
    const controls = (row) => [...row.querySelectorAll("input")];
    return Object.fromEntries(this.rows.map((row) => [row.dataset.place, controls(row).map((input) => (isTicked(input) ? input.checked : input.value))]));
  }
  fill(typed) {
    for (const row of this.rows) [...row.querySelectorAll("input")].forEach((input, index) => {
      const value = typed[row.dataset.place]?.[index];
      if (isTicked(input)) input.checked = value ?? false;
      else input.value = value ?? "";
    });
    this.show();
  }
}
