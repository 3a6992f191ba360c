// What those do who hold the keys of an election: the dealer splits the key, scrutineers keep shares, officers sign.
import { encode, fromHex, fromNumber, random, sha256, toBytes, toHex, toText } from "./bytes.js";
import { openEnvelope, seal } from "./envelope.js";
import { makeKey, pointOf, secretOf } from "./keys.js";
import { bytesOf, combine, commitment, shareOf, split } from "./sharing.js";

const SIZE = 64, NONCE = 32;
const boundTo = (election, place) => encode(`${election}/share/${place}`);

// What goes into the file of a scrutineer or an officer, and the public half of it.
export const makeScrutineer = async () => ({ key: await makeKey("ECDH") });
export const makeOfficer = async () => ({ key: await makeKey("ECDSA"), nonce: toHex(random(NONCE)) });
export async function publicHalf({ key, nonce }) {
  return { key: toText(pointOf(key)), ...(nonce && { nonce_sha256: await sha256(fromHex(nonce)) }) };
}

// Makes the election key, splits it, seals each share to its scrutineer. The key itself is in no answer: it is gone
// when this returns. Splitting is tried out before anything is given away.
export async function deal(election, needed, keys) {
  const key = await makeKey("ECDH");
  const shares = split(secretOf(key), { needed, shares: keys.length });
  const commitments = await Promise.all(shares.map(commitment));
  if ((await combine(shares.slice(-needed), { needed, commitments })) !== secretOf(key)) throw new Error("the shares do not make the key again");
  const sealed = await Promise.all(shares.map((share, index) =>
    seal(bytesOf(share), { to: toBytes(keys[index]), bound: boundTo(election, share.place), size: SIZE })));
  return {
    election_key: toText(pointOf(key)),
    shares: sealed.map((envelope, index) => ({ sealed_share: toText(envelope), commitment: commitments[index] })),
  };
}

// The scrutineer's share in the texts that are told after the close. Throws for one that is not the one committed to.
export async function openShare({ election, place, sealed_share, commitment: expected }, key) {
  const share = shareOf(await openEnvelope(toBytes(sealed_share), { key, bound: boundTo(election, place) }));
  if (share.place !== Number(place) || (await commitment(share)) !== expected) throw new Error("this is not the share that was given out");
  return { commitment: expected, share: toHex(fromNumber(share.value, 32)), salt: toHex(share.salt) };
}
