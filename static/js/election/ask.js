// A question to the portal, and what its answer means in one word: "ok", or what the person can do about it.
const NAMES = { 401: "sign-in", 403: "confirm", 404: "closed", 409: "taken", 410: "closed", 413: "invalid", 400: "invalid", 422: "invalid" };
const CODES = new Set(["taken", "old", "early", "closed"]);

// Nothing is followed and nothing is cached. Asked again it does no harm: the same question has the same answer.
export async function ask(url, { body, headers = {}, credentials }) {
  let answer;
  try {
    const signal = AbortSignal.timeout(30000);
    answer = await fetch(url, { method: "POST", body, headers, credentials, signal, cache: "no-store", redirect: "manual", referrerPolicy: "no-referrer" });
  } catch {
    return { outcome: "offline" };
  }
  if (answer.type === "opaqueredirect") return { outcome: "sign-in" };
  const found = await answer.json().catch(() => null);
  if (answer.ok && found) return { outcome: "ok", found };
  const outcome = CODES.has(found?.code) ? found.code : NAMES[answer.status] ?? "busy";
  return { outcome, message: found?.message ?? "" };
}

// The registrar's answer to a pseudonym that it does not see; asked as the member who is signed in.
export const askCredential = (url, token, question) =>
  ask(url, { body: JSON.stringify(question), headers: { "Content-Type": "application/json", "X-CSRFToken": token }, credentials: "same-origin" });

// A ballot to the box: without cookies, so that the portal is not told who sends it.
export const sendBallot = (url, line) => ask(url, { body: line, headers: { "Content-Type": "application/json" }, credentials: "omit" });
