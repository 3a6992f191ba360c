// <template data-words><p data-word="name">Text with {places}</p>…</template>: what a script says, in the server's words.
export function wordsOf(root) {
  const found = new Map();
  for (const template of root.querySelectorAll("template[data-words]")) {
    for (const word of template.content.children) found.set(word.dataset.word, word.textContent);
  }
  const say = (name, values = {}) => (found.get(name) ?? name).replace(/\{(\w+)\}/g, (_, key) => values[key] ?? "");
  const ordinals = new Intl.PluralRules(document.documentElement.lang || "en", { type: "ordinal" });
  say.ordinal = (n) => say(`ordinal-${ordinals.select(n)}`, { n });
  return say;
}
