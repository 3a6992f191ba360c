// A voter in one contest: makes the pseudonym, has it signed, seals, sends. Every step is kept before the next one
// begins, and can be done again. No page here; `state` is what the recovery file has.
import { askCredential, sendBallot } from "./ask.js";
import { cast } from "./ballot.js";
import * as board from "./board.js";
import * as manifests from "./manifest.js";
import { write } from "./paper.js";
import * as pseudonym from "./pseudonym.js";
import { isReceipt } from "./receipt.js";

export class Voter {
  constructor(places, store) {
    Object.assign(this, { places, store, state: store.read() });
  }
  get hasCredential() { return Boolean(this.state.registrar_signature); }
  get receipts() { return this.state.receipts ?? []; }
  keep(changes) {
    Object.assign(this.state, changes);
    this.store.write(this.state);
  }

  // The contest as the officers signed it.
  async contest() {
    if (!this.found) {
      const answer = await fetch(this.places.manifestUrl, { cache: "no-cache" });
      if (!answer.ok) throw new Error("no manifest");
      this.found = await manifests.read(new Uint8Array(await answer.arrayBuffer()), this.places.manifestSha256);
    }
    return manifests.contestOf(this.found.manifest, this.places.contest);
  }

  // The key pair and what the registrar will be asked, once: the recovery file is whole from here on.
  async begin() {
    if (this.state.key) return;
    const { registrar_key: der } = await this.contest(), { election, contest, manifestSha256, number } = this.places;
    const begun = await pseudonym.begin(contest, der);
    this.keep({ election, contest, number: Number(number), manifest_sha256: manifestSha256, ...begun, sequence: 0, receipts: [] });
  }

  async askCredential(token) {
    const { contest, number, credentialUrl } = this.places;
    const { registrar_key: der } = await this.contest();
    const { outcome, found, message } = await askCredential(credentialUrl, token, { contest, number: Number(number), blinded: this.state.blinded });
    if (outcome !== "ok") return { outcome, message };
    try {
      this.keep({ registrar_signature: await pseudonym.finish(contest, der, this.state, found.blind_signature) });
    } catch {
      return { outcome: "forged" };
    }
    return { outcome };
  }

  // The sealed ballot, kept before it is sent. Who changes a vote takes the next number.
  async seal(choice) {
    const contest = await this.contest(), sequence = (this.state.sequence ?? 0) + 1;
    const rules = { method: contest.method, candidates: contest.candidates.length, seats: contest.seats };
    const sealed = await cast(write(choice, rules), {
      contest: contest.id,
      voter: this.state,
      sequence,
      electionKey: this.found.manifest.election_key,
      candidates: rules.candidates,
    });
    this.keep({ sequence, pending: { ...sealed, sequence } });
  }

  async send() {
    const { line, digest, sequence } = this.state.pending;
    const { outcome, found, message } = await sendBallot(this.places.ballotsUrl, line);
    if (outcome === "taken" || outcome === "old") this.keep({ sequence: this.state.sequence + 10, pending: undefined });
    if (outcome !== "ok") return { outcome, message };
    await this.contest();
    const isGood = found.digest === digest && (await isReceipt(this.places.election, digest, found.receipt, this.found.manifest.box_key));
    if (isGood === false) {
      this.keep({ pending: { ...this.state.pending, answer: found } });
      return { outcome: "no-receipt" };
    }
    const receipt = { digest, receipt: found.receipt, sequence, checked: isGood === true };
    this.keep({ receipts: [...this.receipts.filter((one) => one.digest !== digest), receipt], pending: undefined, draft: undefined });
    return { outcome };
  }

  // In which block the ballot of the last receipt is; undefined while it waits for one.
  async look() {
    await this.contest();
    const answer = await fetch(this.places.boardUrl, { cache: "no-cache", credentials: "omit" });
    if (!answer.ok) throw new Error("no board");
    const { election, manifestSha256 } = this.places, boxKey = this.found.manifest.box_key;
    const places = await board.read(await answer.text(), { election, manifestSha256, boxKey });
    return places.get(this.receipts.at(-1).digest);
  }
}
