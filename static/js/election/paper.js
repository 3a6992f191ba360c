// What is in an envelope: the kind of its text, then a paper as the method of the contest has it. As
// governance/sealed/paper.py. A choice is what the page shows: {order: [place, …]} in order of preference,
// {marks: [place, …]}, or {ranks: [rank, …]}, one for each candidate. Nothing chosen is a blank vote.
export const KIND = 1, UNRANKED = 255, NO_OPINION = 0;
const KINDS = { "scottish-stv": "order", "meek-stv": "order", irv: "order", approval: "marks", plurality: "marks", "yes-no": "marks", schulze: "ranks" };

export const kindOf = (method) => KINDS[method];

export function write(choice, { method, candidates, seats }) {
  const places = choice[kindOf(method)];
  if (!places) throw new TypeError(`a paper of ${method} has ${kindOf(method)}`);
  if (method === "schulze") return text(ranks(places, candidates));
  if (places.some((place) => !Number.isInteger(place) || place < 0 || place >= candidates)) throw new RangeError("the paper names a candidate who does not stand");
  if (new Set(places).size < places.length) throw new RangeError("the paper names a candidate twice");
  if (method === "plurality" && places.length > seats) throw new RangeError("the paper has more marks than there are seats");
  if (method === "yes-no" && places.length > 1) throw new RangeError("the paper answers a question with both yes and no");
  return text(kindOf(method) === "marks" ? [...places].sort((a, b) => a - b) : places);
}

const text = (paper) => Uint8Array.of(KIND, ...paper);

// Who ranks nobody prefers nobody: a blank vote.
function ranks(found, candidates) {
  if (found.length !== candidates) throw new RangeError("the paper does not have one rank for each candidate");
  if (found.some((rank) => !Number.isInteger(rank) || rank < 0 || rank > 255)) throw new RangeError("a rank is a number from 0 to 255");
  return found.every((rank) => rank === UNRANKED || rank === NO_OPINION) ? [] : found;
}
