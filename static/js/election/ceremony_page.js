// <form data-ceremony="key|deal|check|tell-share|sign|tell-nonce">: the browser makes or opens something with a file
// that stays with its owner, fills hidden fields, and lets the form be sent. Nothing private is in a field.
import { fromHex, sha256, toText } from "./bytes.js";
import * as ceremony from "./ceremony.js";
import { pointOf } from "./keys.js";
import * as manifests from "./manifest.js";
import { load, save } from "./recovery.js";
import { wordsOf } from "./words.js";

const MAKE = { scrutineer: ceremony.makeScrutineer, officer: ceremony.makeOfficer };

// What a file makes of the form: the fields to send, or an error whose message is one of the words.
const WITH_FILE = {
  key: (data, file) => ceremony.publicHalf(file),
  check: async (data, file) => ({ commitment: (await opened(data, file)).commitment }),
  "tell-share": async (data, file) => {
    const { share, salt } = await opened(data, file);
    return { share, salt };
  },
  sign: async (data, file) => {
    if (toText(pointOf(file.key)) !== data.key) throw new Error("other-key");
    const answer = await fetch(data.manifestUrl, { cache: "no-store" });
    const bytes = new Uint8Array(await answer.arrayBuffer());
    await manifests.read(bytes, data.manifestSha256).catch(() => { throw new Error("other-manifest"); });
    return { signature: await manifests.signManifest(file.key, bytes) };
  },
  "tell-nonce": async (data, file) => {
    if ((await sha256(fromHex(file.nonce ?? ""))) !== data.nonceSha256) throw new Error("other-key");
    return { nonce: file.nonce };
  },
};

const opened = ({ election, place, sealedShare, commitment }, file) =>
  ceremony.openShare({ election, place, sealed_share: sealedShare, commitment }, file.key).catch(() => { throw new Error("other-share"); });

function fill(form, fields) {
  for (const [name, value] of Object.entries(fields)) form.elements[name].value = value;
  form.querySelector("[data-send]").disabled = false;
}

function bind(form) {
  const say = wordsOf(form), { ceremony: kind, role = "", election } = form.dataset;
  const status = form.querySelector("[role=status]");
  let made = null;
  const attempt = async (run) => {
    form.querySelector("[data-send]").disabled = true;
    status.classList.remove("bad");
    try {
      status.textContent = say(await run());
    } catch (error) {
      status.classList.add("bad");
      status.textContent = say(error.message, { message: error.message });
    }
  };
  form.querySelector("[data-make]")?.addEventListener("click", () => attempt(async () => {
    if (kind === "deal") {
      const keys = [...form.querySelectorAll("[data-key]")];
      const { election_key, shares } = await ceremony.deal(election, Number(form.dataset.needed), keys.map((each) => each.dataset.key));
      keys.forEach((each, index) => {
        for (const [name, value] of Object.entries(shares[index])) each.querySelector(`[name=${name}]`).value = value;
      });
      fill(form, { election_key });
      return "dealt";
    }
    made ??= await MAKE[role]();
    save(`${role}-${election}.json`, role, { election, ...made });
    return "made";
  }));
  form.querySelector("[data-file]")?.addEventListener("change", ({ target }) => attempt(async () => {
    const file = await load(target.files[0], role, { election });
    if (made && file.key.d !== made.key.d) throw new Error("other-key");
    fill(form, await WITH_FILE[kind](form.dataset, file));
    return `ready-${kind}`;
  }));
}

for (const form of document.querySelectorAll("form[data-ceremony]")) bind(form);
