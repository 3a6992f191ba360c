// Ballots that are marked: approval takes as many marks as one likes, plurality as many as there are seats.
const mark = (row) => row.querySelector("[data-mark]");

export function read(rows, say, form) {
  const marked = rows.filter((row) => mark(row).checked), most = Number(form.dataset.most);
  const tooMany = marked.length > most;
  return {
    choice: { marks: marked.map((row) => Number(row.dataset.place)).sort((a, b) => a - b) },
    problems: tooMany ? [{ row: marked.at(-1), text: say("many", { count: marked.length, most }) }] : [],
    isBlank: !marked.length,
  };
}

export function tell(row, rows, say) {
  const count = rows.filter((one) => mark(one).checked).length;
  return say(mark(row).checked ? "marked" : "unmarked", { name: row.dataset.name, count });
}

export const summary = ({ choice }, rows, say) => say("summary-marked", { count: choice.marks.length, all: rows.length });
