// The file that people keep: JSON with `format`, `role` (voter, scrutineer, officer), the election and their own keys.
// governance/voting/vote.py reads and writes that of a voter too.
export const FORMAT = "foundation-portal recovery 1";

export function save(name, role, fields) {
  const text = JSON.stringify({ format: FORMAT, role, ...fields }, null, 1) + "\n";
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}

// What is in the file. Throws for a file of something else: `expected` has fields that must be the same.
export async function load(file, role, expected = {}) {
  let found;
  try {
    found = JSON.parse(await file.text());
  } catch {
    throw new TypeError("no-file");
  }
  if (found?.format !== FORMAT || found.role !== role || !found.key) throw new TypeError("no-file");
  for (const [name, value] of Object.entries(expected)) if (found[name] !== value) throw new TypeError("other-file");
  return found;
}
