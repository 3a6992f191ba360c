// What the box signs with Ed25519: its word that it has a ballot, and the blocks of the board. As
// governance/sealed/board.py.
import { encode, toBytes } from "./bytes.js";

// True or false; null where this browser knows no Ed25519: the receipt is then checked from the recovery file.
export async function isSignedByBox(signature, text, boxKey) {
  let key;
  try {
    key = await crypto.subtle.importKey("raw", toBytes(boxKey), "Ed25519", false, ["verify"]);
  } catch (error) {
    return error.name === "NotSupportedError" ? null : false;
  }
  return crypto.subtle.verify("Ed25519", key, signature, text).catch(() => false);
}

export async function isReceipt(election, digest, receipt, boxKey) {
  try {
    return await isSignedByBox(toBytes(receipt), encode(`foundation-portal receipt 1\n${election}\n${digest}\n`), boxKey);
  } catch {
    return false;
  }
}
