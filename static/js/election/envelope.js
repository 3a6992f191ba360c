// What nobody can read before the key is put together: P-256 ECDH with a key of this one envelope, HKDF-SHA256,
// AES-256-GCM, bound to bytes that say where it belongs. As governance/sealed/envelope.py.
import { encode, join, random } from "./bytes.js";
import { makeKey, pointOf, privateKey, publicKey } from "./keys.js";

const POINT = 65, NONCE = 12;
const NAME = encode("foundation-portal sealed ballot 1");

export async function seal(text, { to, bound, size }) {
  if (text.length > size - 2) throw new RangeError(`the ballot has ${text.length} bytes, ${size - 2} fit`);
  const padded = join(Uint8Array.of(text.length >> 8, text.length & 255), text, new Uint8Array(size - 2 - text.length));
  const own = await makeKey("ECDH"), nonce = random(NONCE), point = pointOf(own);
  const key = await cipher(own, to, point, bound, "encrypt");
  const sealed = await crypto.subtle.encrypt({ name: "AES-GCM", iv: nonce, additionalData: bound }, key, padded);
  return join(point, nonce, new Uint8Array(sealed));
}

export async function openEnvelope(envelope, { key: own, bound }) {
  const point = envelope.subarray(0, POINT), nonce = envelope.subarray(POINT, POINT + NONCE);
  let padded;
  try {
    const key = await cipher(own, point, point, bound, "decrypt");
    const text = await crypto.subtle.decrypt({ name: "AES-GCM", iv: nonce, additionalData: bound }, key, envelope.subarray(POINT + NONCE));
    padded = new Uint8Array(text);
  } catch {
    throw new Error("this envelope was altered, or sealed for something else");
  }
  const length = (padded[0] << 8) | padded[1];
  if (padded.length < 2 || length > padded.length - 2 || padded.subarray(2 + length).some(Boolean)) throw new Error("what is in the envelope is not padded as it has to be");
  return padded.subarray(2, 2 + length);
}

async function cipher(own, theirs, point, bound, use) {
  const shared = await crypto.subtle.deriveBits({ name: "ECDH", public: await publicKey(theirs, "ECDH") }, await privateKey(own, "ECDH"), 256);
  const secret = await crypto.subtle.importKey("raw", shared, "HKDF", false, ["deriveKey"]);
  const derived = { name: "HKDF", hash: "SHA-256", salt: point, info: join(NAME, bound) };
  return crypto.subtle.deriveKey(derived, secret, { name: "AES-GCM", length: 256 }, false, [use]);
}
