// A pseudonym: a key pair whose public half the registrar signs without seeing it. RFC 9474, variant
// RSABSSA-SHA384-PSS-Randomized; the arithmetic is vendored. As governance/sealed/blind.py and ballot.py.
import { BlindRSA, PrepareType } from "../../vendor/blindrsa/blindrsa.js";
import { encode, framed, join, random, toBytes, toText } from "./bytes.js";
import { makeKey, pointOf } from "./keys.js";

const PREFIX = 32, VOTER = encode("foundation-portal voter 1");
const scheme = new BlindRSA({ hash: "SHA-384", saltLength: 48, prepareType: PrepareType.Randomized });

export const registrarKey = (der) => crypto.subtle.importKey("spki", toBytes(der), { name: "RSA-PSS", hash: "SHA-384" }, true, ["verify"]);
export const voterMessage = (contest, point) => framed(VOTER, encode(contest), point);
export const blind = async (der, prepared) => scheme.blind(await registrarKey(der), prepared);
export const finalize = async (der, prepared, answer, inverse) => scheme.finalize(await registrarKey(der), prepared, answer, inverse);
export const verify = async (der, prepared, signature) => scheme.verify(await registrarKey(der), signature, prepared);

// All that the voter keeps before the registrar answers. It has to be saved before `blinded` is shown to anybody.
export async function begin(contest, der) {
  const key = await makeKey("ECDSA"), prefix = random(PREFIX);
  const { blindedMsg, inv } = await blind(der, join(prefix, voterMessage(contest, pointOf(key))));
  return { key, prefix: toText(prefix), blinded: toText(blindedMsg), inverse: toText(inv) };
}

// The registrar's signature of the pseudonym; throws where the answer is not one to what was asked.
export async function finish(contest, der, begun, answer) {
  const prepared = join(toBytes(begun.prefix), voterMessage(contest, pointOf(begun.key)));
  return toText(await finalize(der, prepared, toBytes(answer), toBytes(begun.inverse)));
}
