// The box's word that it has a ballot. As governance/sealed/board.py.
import { encode, toBytes } from "./bytes.js";

// True or false; null where this browser knows no Ed25519: the receipt is then checked from the recovery file.
export async function isReceipt(election, digest, receipt, boxKey) {
  let key;
  try {
    key = await crypto.subtle.importKey("raw", toBytes(boxKey), "Ed25519", false, ["verify"]);
  } catch (error) {
    if (error.name === "NotSupportedError") return null;
    return false;
  }
  try {
    return await crypto.subtle.verify("Ed25519", key, toBytes(receipt), encode(`foundation-portal receipt 1\n${election}\n${digest}\n`));
  } catch {
    return false;
  }
}
