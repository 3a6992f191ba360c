// A sealed ballot as it is cast: one line of JSON, signed by its pseudonym. As governance/sealed/ballot.py and wire.py.
import { encode, framed, fromNumber, sha256, toBytes, toText } from "./bytes.js";
import { seal } from "./envelope.js";
import { pointOf, sign } from "./keys.js";

const BALLOT = encode("foundation-portal ballot 1");
const BLOCK = 32, HEAD = 3, MOST_CHANGES = 2 ** 31 - 1;

// Bytes of the text in an envelope: the same for every ballot of a contest.
export const sizeOf = (candidates) => Math.ceil((candidates + HEAD) / BLOCK) * BLOCK;
export const boundTo = (contest, point) => framed(BALLOT, encode(contest), point);

// Names the ballot on the board. The signature is left out: it can be written two ways.
export const digestOf = (ballot) => sha256(signed(ballot));

// `voter` is what pseudonym.js made, with the registrar's signature; `text` is the paper.
export async function cast(text, { contest, voter, sequence, electionKey, candidates }) {
  if (!(sequence >= 1 && sequence <= MOST_CHANGES)) throw new RangeError("the sequence of the ballot is no number from 1");
  const point = pointOf(voter.key);
  const envelope = await seal(text, { to: toBytes(electionKey), bound: boundTo(contest, point), size: sizeOf(candidates) });
  const ballot = {
    contest,
    point: toText(point),
    prefix: voter.prefix,
    registrar_signature: voter.registrar_signature,
    sequence,
    envelope: toText(envelope),
    signature: "",
  };
  ballot.signature = toText(await sign(voter.key, signed(ballot)));
  return { line: JSON.stringify(ballot), digest: await digestOf(ballot) };
}

function signed(ballot) {
  const voter = [ballot.point, ballot.prefix, ballot.registrar_signature].map(toBytes);
  return framed(BALLOT, encode(ballot.contest), ...voter, fromNumber(BigInt(ballot.sequence), 8), toBytes(ballot.envelope));
}
