// Ballots that are compared (Schulze): equal ranks are fine, gaps too; "no opinion" is not the same as "not ranked".
import { box } from "./order.js";
import { NO_OPINION, UNRANKED } from "./paper.js";

const MOST = 254, nameOf = (row) => row.dataset.name;
const silent = (row) => row.querySelector("[data-no-opinion]").checked;
const rankOf = (row) => Number(box(row).value.trim()) || 0;

// Ranks are closed up to 1, 2, 3 …: a rare number would be a mark on the ballot.
export function read(rows, say) {
  for (const row of rows) box(row).disabled = silent(row);
  const ranked = rows.filter((row) => !silent(row) && box(row).value.trim());
  const wrong = ranked.filter((row) => !/^\d{1,3}$/.test(box(row).value.trim()) || rankOf(row) < 1 || rankOf(row) > MOST);
  const levels = [...new Set(ranked.map(rankOf))].sort((a, b) => a - b);
  const ranks = new Array(rows.length);
  for (const row of rows) ranks[row.dataset.place] = silent(row) ? NO_OPINION : ranked.includes(row) ? levels.indexOf(rankOf(row)) + 1 : UNRANKED;
  return {
    choice: { ranks },
    problems: wrong.map((row) => ({ row, text: say("rank", { most: MOST }) })),
    isBlank: !ranked.length,
  };
}

export function move(row, step, rows, say) {
  const used = rows.filter((one) => !silent(one)).map(rankOf), now = rankOf(row), name = nameOf(row);
  if (silent(row)) return say("no-opinion", { name });
  if (!now && step > 0) return say("not-ranked", { name });
  if (now === 1 && step < 0) return say("first", { name });
  const next = now ? now + step : Math.max(0, ...used) + 1;
  const isBelowAll = step > 0 && next > Math.max(0, ...used.filter((_, index) => rows[index] !== row)) + 1;
  box(row).value = isBelowAll || next > MOST ? "" : next;
  return tell(row, rows, say);
}

export function tell(row, rows, say) {
  const name = nameOf(row);
  if (silent(row)) return say("no-opinion", { name });
  if (!rankOf(row)) return say("now-none", { name });
  const same = rows.filter((one) => one !== row && !silent(one) && rankOf(one) === rankOf(row)).map(nameOf);
  return say(same.length ? "now-with" : "now-rank", { name, rank: rankOf(row), others: same.join(", ") });
}

export const summary = ({ choice }, rows, say) =>
  say("compared", { count: choice.ranks.filter((rank) => rank !== UNRANKED && rank !== NO_OPINION).length, all: rows.length, silent: choice.ranks.filter((rank) => rank === NO_OPINION).length });
