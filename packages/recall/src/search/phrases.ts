/** Longer quotations, and more of them, are data. */
const quotation: RegExp = /"([^"\n]{3,200})"|“([^”\n]{3,200})”|`([^`\n]{3,200})`/g;
const maxPhrases = 4;
const letterOrDigit: RegExp = /[\p{L}\p{N}]/u;

/** What a query quotes, of at least two words; the whole query if it quotes nothing. */
export function phrasesOf(query: string): readonly string[] {
  const quoted = [...query.matchAll(quotation)].map(([, ...forms]) => forms.find((one) => one !== undefined)!);
  const phrases = quoted.length > 0 ? quoted : [query];
  return phrases
    .map((phrase) => phrase.trim())
    .filter((phrase) => /\s/.test(phrase))
    .slice(0, maxPhrases);
}

/** Index of a phrase at or after `from`, as whole words, or -1. */
export function indexOfPhrase(text: string, phrase: string, from: number): number {
  for (let at = text.indexOf(phrase, from); at >= 0; at = text.indexOf(phrase, at + phrase.length))
    if (isEdge(text, at) && isEdge(text, at + phrase.length)) return at;
  return -1;
}

/** True unless the characters on both sides belong to one word. */
function isEdge(text: string, at: number): boolean {
  return !(letterOrDigit.test(text.charAt(at - 1)) && letterOrDigit.test(text.charAt(at)));
}
