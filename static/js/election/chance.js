// <input data-chance>: offers random words where nothing is written yet; the person may write others.
import { toText } from "./bytes.js";

for (const input of document.querySelectorAll("input[data-chance]")) input.value ||= toText(crypto.getRandomValues(new Uint8Array(16)));
