/**
 * A run that may be an identifier: paths, symbols, ids, hashes, URLs, numbers with units. Only the characters they are
 * written with, bounded in length, so a scan stays linear.
 */
const run: RegExp = /[A-Za-z0-9_$@~/.#-][A-Za-z0-9_$@~/.:#%+=?&-]{2,199}/g;

/** Marks that belong to the sentence around an identifier, not to it. */
const leading: RegExp = /^[-.:=#+?&%]+(?=[A-Za-z0-9_/~$@])/;
const trailing: RegExp = /[-.:=#+?&%/]+$/;

/** Calls `found` with each identifier of a text, in order. */
export function eachIdentifier(text: string, found: (identifier: string) => void): void {
  run.lastIndex = 0;
  for (let match = run.exec(text); match; match = run.exec(text)) {
    const raw = match[0];
    if (isPlainWord(raw)) continue;
    const identifier = raw.replace(leading, '').replace(trailing, '');
    if (identifier.length >= 3 && isIdentifier(identifier)) found(identifier);
  }
}

/** The identifiers of a text, in order, repeats included. */
export function identifiersOf(text: string): string[] {
  const all: string[] = [];
  eachIdentifier(text, (identifier) => all.push(identifier));
  return all;
}

/** True for what is no ordinary word: it holds a digit, a joint (`_ / . : @ $`), or a capital inside. */
export function isIdentifier(text: string): boolean {
  let letters = 0;
  let digits = 0;
  let joints = 0;
  let inner = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code >= 48 && code <= 57) digits++;
    else if (code >= 97 && code <= 122) letters++;
    else if (code >= 65 && code <= 90) {
      letters++;
      if (at > 0) inner++;
    } else if (code !== 45) joints++;
  }
  if (digits > 0) return letters > 0 || digits >= 3;
  return letters > 2 && (joints > 0 || inner > 0);
}

function isPlainWord(text: string): boolean {
  for (let at = 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 97 || code > 122) return false;
  }
  const first = text.charCodeAt(0) | 32;
  return first >= 97 && first <= 122;
}
