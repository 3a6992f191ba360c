// Ballots that are ranked (STV, IRV): each number once, without a gap. Reads the boxes; up and down change them.
export const box = (row) => row.querySelector("[data-rank]");
const nameOf = (row) => row.dataset.name, placeOf = (row) => Number(row.dataset.place);

// Of what is typed: [row, number], where the number is 0 for what is none.
function typed(rows) {
  const filled = rows.filter((row) => box(row).value.trim());
  return filled.map((row) => [row, /^\d{1,3}$/.test(box(row).value.trim()) ? Number(box(row).value) : 0]);
}

export function read(rows, say) {
  const found = typed(rows), problems = [], numbers = new Map();
  for (const [row, number] of found) {
    if (number < 1 || number > rows.length) problems.push({ row, text: say("number", { most: rows.length }) });
    else numbers.set(number, [...(numbers.get(number) ?? []), row]);
  }
  for (const [number, same] of numbers) if (same.length > 1) {
    for (const row of same) {
      const others = same.filter((other) => other !== row).map(nameOf).join(", ");
      problems.push({ row, text: say("twice", { number, others }) });
    }
  }
  const sorted = found.toSorted(([, a], [, b]) => a - b);
  if (!problems.length) sorted.forEach(([row, number], index) => {
    const before = index ? sorted[index - 1][1] : 0;
    if (number > before + 1) problems.push({ row, isGap: true, text: say("gap", { missing: before + 1 }) });
  });
  return { choice: { order: sorted.map(([row]) => placeOf(row)) }, problems, isBlank: !found.length };
}

// One step up or down; below the last is to rank nobody. Tells what is now.
export function move(row, step, rows, say) {
  const ranked = typed(rows).toSorted(([, a], [, b]) => a - b).map(([one]) => one);
  const at = ranked.indexOf(row), name = nameOf(row);
  if (at < 0 && step > 0) return say("not-ranked", { name });
  if (at === 0 && step < 0) return say("first", { name });
  if (at >= 0) ranked.splice(at, 1);
  if (at < 0) ranked.push(row);
  else if (at + step <= ranked.length) ranked.splice(at + step, 0, row);
  renumber(ranked, rows);
  row.parentElement.append(...ranked, ...rows.filter((one) => !ranked.includes(one)));
  return tell(row, rows, say);
}

export function renumber(ranked, rows) {
  for (const row of rows) box(row).value = ranked.includes(row) ? ranked.indexOf(row) + 1 : "";
}

export function tell(row, rows, say) {
  const ranked = typed(rows), name = nameOf(row), [, number] = ranked.find(([one]) => one === row) ?? [];
  return number ? say("now", { name, rank: say.ordinal(number), count: ranked.length }) : say("now-none", { name });
}

export const summary = ({ choice }, rows, say) => say("ranked", { count: choice.order.length, all: rows.length });
