// The board: blocks that follow each other from the manifest on. As governance/sealed/board.py. It is read whole, so
// that nobody is told which ballot is looked for.
import { encode, sha256, toBytes } from "./bytes.js";
import { isSignedByBox } from "./receipt.js";

const textOf = ({ election, number, previous, total, ballots }) =>
  encode(["foundation-portal block 1", election, number, previous, total, ...ballots].map((line) => `${line}\n`).join(""));

// The number of the block of each ballot. Throws at the first block that does not follow.
export async function read(text, { election, manifestSha256, boxKey }) {
  const places = new Map();
  let previous = manifestSha256, number = 0;
  for (const line of text.split("\n").filter(Boolean)) {
    const block = JSON.parse(line), whole = textOf(block);
    const follows = block.election === election && block.number === ++number && block.previous === previous;
    for (const digest of block.ballots) places.set(digest, number);
    const isSigned = await isSignedByBox(toBytes(block.signature), whole, boxKey);
    if (!follows || block.total !== places.size || isSigned === false) throw new Error(`block ${number} is not whole`);
    previous = await sha256(whole);
  }
  return places;
}
