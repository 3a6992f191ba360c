// <div data-vote>: fill in -> review -> cast -> receipt, for a sealed ballot. Until the receipt is there the page says
// that nothing is cast. The steps are parts with [data-step]; buttons say what they do in [data-do].
import { askCredential } from "./ask.js";
import { BallotForm } from "./form.js";
import { load, save } from "./recovery.js";
import * as review from "./review.js";
import { Store } from "./store.js";
import { Voter } from "./voter.js";
import { wordsOf } from "./words.js";

const root = document.querySelector("[data-vote]"), say = wordsOf(root);
const part = (name) => root.querySelector(`[data-vote-${name}]`);
const { contest, number } = root.dataset;
const voter = new Voter(root.dataset, new Store(document.body.dataset.person ?? "", contest, number));
const form = new BallotForm(root.querySelector("form[data-ballot]"));
const token = root.querySelector("[name=csrfmiddlewaretoken]").value;
let choice = null, step = "";

// What is known of a vote without a receipt here: whose credential was asked for may have voted in another browser.
function known() {
  if (!root.dataset.issued) return "none";
  return voter.state.key ? "unsure" : "elsewhere";
}

function go(next, isFirst = false) {
  step = next;
  for (const each of root.querySelectorAll("[data-step]")) each.hidden = each.dataset.step !== step;
  const hasVoted = voter.receipts.length > 0, isOpen = !(hasVoted && step === "receipt");
  part("banner").hidden = !isOpen;
  part("banner-title").textContent = say(hasVoted ? "banner-change" : `banner-${known()}`);
  part("banner-next").textContent = say(known() === "elsewhere" && step === "ballot" ? "next-elsewhere" : `next-${step}`);
  part("done").hidden = isOpen;
  part("kept").hidden = !voter.state.key;
  if (!isFirst) root.querySelector(`[data-step=${step}] h2`)?.focus();
}

function trouble(kind, { outcome, message = "" } = {}) {
  const box = part("trouble");
  box.hidden = !outcome;
  if (!outcome) return;
  part("trouble-text").textContent = [say(`${kind}-${outcome}`), message].filter(Boolean).join(" ");
  part("sign-in").hidden = !["sign-in", "confirm"].includes(outcome);
  box.scrollIntoView({ block: "nearest" });
}

async function look(isBlank) {
  const found = await voter.contest(), rows = form.rows;
  const isSame = rows.length === found.candidates.length && rows.every((row) => found.candidates[row.dataset.place]?.name === row.dataset.name);
  if (!isSame) return trouble("page", { outcome: "names" });
  if (isBlank) choice = { order: [], marks: [], ranks: rows.map(() => 255) };
  review.show(part("lines"), isBlank ? [{ text: say(found.method === "yes-no" ? "abstain" : "blank") }] : review.linesOf(choice, found, say));
  go("review");
}

function showReceipt() {
  const last = voter.receipts.at(-1);
  part("digest").textContent = last.digest;
  part("signature").textContent = last.receipt;
  part("times").textContent = say(last.sequence > 1 ? "cast-again" : "cast-once");
  part("checked").textContent = say(last.checked ? "checked" : "unchecked");
  go("receipt", step === "");
}

async function send() {
  go("send");
  const answer = await voter.send();
  trouble("ballot", answer.outcome === "ok" ? {} : answer);
  if (answer.outcome === "ok") return showReceipt();
  if (!voter.state.pending) return go("ballot");
  part("again").hidden = false;
}

const DO = {
  back: () => go("ballot"),
  change: () => go("ballot"),
  keep: () => showReceipt(),
  cast: async () => {
    if (!voter.hasCredential) {
      await voter.begin();
      return go("credential");
    }
    await voter.seal(choice);
    await send();
  },
  save: () => {
    const { draft, ...fields } = voter.state;
    save(`ballot-${contest.replaceAll("/", "-")}.json`, "voter", fields);
    part("ask").disabled = false;
  },
  ask: async () => {
    const answer = await voter.askCredential(token);
    trouble("credential", answer.outcome === "ok" ? {} : answer);
    if (answer.outcome === "ok") await (choice ? DO.cast() : go("ballot"));
  },
  again: send,
  look: async () => {
    const block = await voter.look().catch((error) => trouble("page", { outcome: "board", message: error.message }) ?? null);
    if (block !== null) part("found").textContent = say(block ? "found" : "waits", { block });
  },
  forget: () => {
    voter.store.forget();
    location.reload();
  },
};

root.addEventListener("click", async (event) => {
  const button = event.target.closest("button[data-do]");
  if (!button || button.getAttribute("aria-busy")) return;
  trouble();
  button.setAttribute("aria-busy", "true");
  try {
    await DO[button.dataset.do]();
  } catch (error) {
    trouble("page", { outcome: error.name === "QuotaExceededError" || error.name === "SecurityError" ? "storage" : "failed", message: error.message });
  } finally {
    button.removeAttribute("aria-busy");
  }
});
root.querySelector("[data-client]").addEventListener("submit", async (event) => {
  event.preventDefault();
  trouble();
  const question = { contest, number: Number(number), blinded: event.target.elements.blinded.value.trim() };
  const answer = await askCredential(root.dataset.credentialUrl, token, question);
  trouble("credential", answer.outcome === "ok" ? {} : answer);
  if (answer.outcome === "ok") root.querySelector("[data-client-answer]").textContent = answer.found.blind_signature;
});
form.addEventListener("review", (event) => {
  event.preventDefault();
  trouble();
  choice = event.detail.choice;
  look(event.detail.isBlank).catch((error) => trouble("page", { outcome: "failed", message: error.message }));
});
form.addEventListener("change", () => voter.keep({ draft: form.typed() }));
part("file").addEventListener("change", async ({ target }) => {
  try {
    const { format, role, ...fields } = await load(target.files[0], "voter", { contest, number: Number(number) });
    voter.state = {};
    voter.keep(fields);
    location.reload();
  } catch (error) {
    trouble("page", { outcome: error.message });
  }
  target.value = "";
});

part("file").closest("details").open = known() === "elsewhere";
if (voter.state.draft) form.fill(voter.state.draft);
if (voter.state.pending) {
  go("send", true);
  part("again").hidden = false;
  trouble("ballot", { outcome: "waits" });
} else if (voter.receipts.length) showReceipt();
else go("ballot", true);
