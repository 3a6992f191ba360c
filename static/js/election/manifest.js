// What two officers sign before an election opens. As governance/sealed/manifest.py.
import { encode, join, sha256, toBytes, toText } from "./bytes.js";
import { isSigned, sign } from "./keys.js";

const FORMAT = "foundation-portal election 1", SIGNED = encode("foundation-portal manifest 1\n");

// The document and the hash that names it. `expected` is the hash that the page was made for.
export async function read(bytes, expected = null) {
  const digest = await sha256(bytes);
  if (expected && digest !== expected) throw new Error("this is another manifest than the one that this page was made for");
  const manifest = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  if (manifest.format !== FORMAT) throw new Error("a manifest of this format is not known");
  return { manifest, digest };
}

export function contestOf(manifest, id) {
  const found = manifest.contests.find((contest) => contest.id === id);
  if (!found) throw new Error("this contest is not in the manifest");
  return found;
}

export const signManifest = async (jwk, bytes) => toText(await sign(jwk, join(SIGNED, bytes)));
export const isOfficers = (officer, signature, bytes) => isSigned(toBytes(officer.key), toBytes(signature), join(SIGNED, bytes));
