// Key pairs on P-256. They are kept as JWK, since they go into a file that people keep.
import { fromNumber, join, toBytes, toNumber, toText } from "./bytes.js";

const CURVE = "P-256", SIGNED = { name: "ECDSA", hash: "SHA-256" };
const USES = { ECDSA: ["sign"], ECDH: ["deriveBits"] };

export async function makeKey(kind) {
  const pair = await crypto.subtle.generateKey({ name: kind, namedCurve: CURVE }, true, kind === "ECDSA" ? ["sign", "verify"] : ["deriveBits"]);
  const { kty, crv, x, y, d } = await crypto.subtle.exportKey("jwk", pair.privateKey);
  return { kty, crv, x, y, d };
}

export const privateKey = (jwk, kind) => crypto.subtle.importKey("jwk", jwk, { name: kind, namedCurve: CURVE }, false, USES[kind]);

// The browser refuses a point that is not on the curve.
export const publicKey = (point, kind) =>
  crypto.subtle.importKey("raw", point, { name: kind, namedCurve: CURVE }, true, kind === "ECDSA" ? ["verify"] : []);

// The public half, uncompressed: 65 bytes.
export const pointOf = (jwk) => join(Uint8Array.of(4), toBytes(jwk.x), toBytes(jwk.y));

export const secretOf = (jwk) => toNumber(toBytes(jwk.d));
export const keyOf = (secret, point) => ({
  kty: "EC",
  crv: CURVE,
  x: toText(point.subarray(1, 33)),
  y: toText(point.subarray(33)),
  d: toText(fromNumber(secret, 32)),
});

// Two numbers of 32 bytes.
export const sign = async (jwk, bytes) => new Uint8Array(await crypto.subtle.sign(SIGNED, await privateKey(jwk, "ECDSA"), bytes));
export async function isSigned(point, signature, bytes) {
  try {
    return await crypto.subtle.verify(SIGNED, await publicKey(point, "ECDSA"), signature, bytes);
  } catch {
    return false;
  }
}
