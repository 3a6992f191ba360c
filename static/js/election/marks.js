// Ballots that are marked: approval takes as many marks as one likes, plurality as many as there are seats, and a
// question one of its two answers.
const mark = (row) => row.querySelector("[data-mark]");
const nameOf = (row) => row.dataset.answer ?? row.dataset.name;

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
  return say(mark(row).checked ? "marked" : "unmarked", { name: nameOf(row), count });
}

export function summary({ choice }, rows, say) {
  const [first] = rows.filter((row) => mark(row).checked), isQuestion = "answer" in rows[0].dataset;
  if (isQuestion && !first) return say("summary-none");
  return say("summary-marked", { count: choice.marks.length, all: rows.length, name: isQuestion ? nameOf(first) : "" });
}
