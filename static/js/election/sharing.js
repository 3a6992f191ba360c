// A key split among scrutineers: any `needed` of the shares make it again, fewer tell nothing. A. Shamir, "How to
// share a secret", 1979, over the numbers below the order of P-256. As governance/sealed/sharing.py.
import { fromNumber, join, random, sha256, toNumber } from "./bytes.js";

export const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
const MOST_SHARES = 100, SALT = 16;
const mod = (number) => ((number % ORDER) + ORDER) % ORDER;

// The bytes of a share: what is sealed to its scrutineer, and what its commitment is the SHA-256 of.
export const bytesOf = ({ place, value, salt }) => join(Uint8Array.of(place), fromNumber(value, 32), salt);
export const commitment = (share) => sha256(bytesOf(share));
export function shareOf(bytes) {
  if (bytes.length !== 33 + SALT) throw new RangeError("this is no share");
  return { place: bytes[0], value: toNumber(bytes.subarray(1, 33)), salt: bytes.slice(33) };
}

export function split(secret, { needed, shares }) {
  if (!(1 <= needed && needed <= shares && shares <= MOST_SHARES)) throw new RangeError(`${needed} of ${shares} shares cannot be`);
  if (!(0n < secret && secret < ORDER)) throw new RangeError("the secret is no private key of P-256");
  const line = [secret, ...Array.from({ length: needed - 1 }, below)];
  const value = (at) => line.reduceRight((sum, coefficient) => mod(sum * at + coefficient), 0n);
  return Array.from({ length: shares }, (_, index) => ({ place: index + 1, value: value(BigInt(index + 1)), salt: random(SALT) }));
}

export async function combine(found, { needed, commitments }) {
  const shares = [...new Map(found.map((share) => [share.place, share])).values()].sort((a, b) => a.place - b.place);
  for (const share of shares) {
    if ((await commitment(share)) !== commitments[share.place - 1]) throw new Error(`share ${share.place} is not the one that was given out`);
  }
  if (shares.length < needed) throw new RangeError(`${needed} shares are needed, ${shares.length} are here`);
  const points = shares.slice(0, needed);
  return points.reduce((sum, share) => mod(sum + share.value * weight(share.place, points)), 0n);
}

// Of one point in the value at 0 (Lagrange).
function weight(place, points) {
  let above = 1n, below = 1n;
  for (const other of points) {
    if (other.place === place) continue;
    above = mod(above * BigInt(other.place));
    below = mod(below * BigInt(other.place - place));
  }
  return mod(above * power(below, ORDER - 2n));
}

function power(base, exponent) {
  let found = 1n;
  for (; exponent; exponent >>= 1n, base = mod(base * base)) if (exponent & 1n) found = mod(found * base);
  return found;
}

function below() {
  for (;;) {
    const number = toNumber(random(32));
    if (number < ORDER) return number;
  }
}
