// Bytes as text and as numbers, in the ways that governance/sealed/ writes them.
const utf8 = new TextEncoder();

export const encode = (text) => utf8.encode(text);
export const toText = (bytes) =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

// Base64url without padding, as toText writes it and in no other way.
export function toBytes(text) {
  if (typeof text !== "string" || !/^[\w-]*$/.test(text)) throw new TypeError("this is no base64url");
  const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
  if (toText(bytes) !== text) throw new TypeError("this is no base64url without padding");
  return bytes;
}

export const toHex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
export function fromHex(text) {
  if (!/^([0-9a-f]{2})*$/.test(text)) throw new TypeError("this is no hexadecimal text");
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

export const toNumber = (bytes) => (bytes.length ? BigInt("0x" + toHex(bytes)) : 0n);
export function fromNumber(number, length) {
  const digits = number.toString(16);
  if (digits.length > 2 * length) throw new RangeError(`the number does not fit in ${length} bytes`);
  return fromHex(digits.padStart(2 * length, "0"));
}

export function join(...parts) {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

// Parts with their lengths, so that no two lists of parts make the same bytes.
export const framed = (...parts) => join(...parts.flatMap((part) => [fromNumber(BigInt(part.length), 4), part]));
export const random = (length) => crypto.getRandomValues(new Uint8Array(length));
export const sha256 = async (bytes) => toHex(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));
