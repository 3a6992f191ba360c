// The list of what will be sealed, in the names of the manifest and not of the page.
import { NO_OPINION, UNRANKED, kindOf } from "./paper.js";

// Lines to read: [{text, rank}], and those of whom nothing is said.
export function linesOf(choice, contest, say) {
  const names = contest.candidates.map((candidate) => candidate.name);
  const named = (places) => places.map((place) => names[place]).join(", ");
  const left = (places, word) => (places.length ? [{ text: say(word, { names: named(places) }), rest: true }] : []);
  const places = names.map((_, place) => place);
  if (contest.method === "yes-no") return choice.marks.map((place) => ({ text: say(place ? "answer-no" : "answer-yes", { name: names[place] }) }));
  if (kindOf(contest.method) === "order") {
    const lines = choice.order.map((place, index) => ({ text: `${index + 1}. ${names[place]}` }));
    return [...lines, ...left(places.filter((place) => !choice.order.includes(place)), "rest-unranked")];
  }
  if (kindOf(contest.method) === "marks") {
    return [...choice.marks.map((place) => ({ text: names[place] })), ...left(places.filter((place) => !choice.marks.includes(place)), "rest-unmarked")];
  }
  const at = (rank) => places.filter((place) => choice.ranks[place] === rank);
  const levels = [...new Set(choice.ranks)].filter((rank) => rank !== UNRANKED && rank !== NO_OPINION).sort((a, b) => a - b);
  return [...levels.map((rank) => ({ text: `${rank}. ${named(at(rank))}` })), ...left(at(UNRANKED), "rest-below"), ...left(at(NO_OPINION), "rest-silent")];
}

export function show(list, lines) {
  list.replaceChildren(...lines.map(({ text, rest }) => {
    const item = document.createElement("li");
    item.textContent = text;
    item.className = rest ? "soft" : "strong";
    return item;
  }));
}
