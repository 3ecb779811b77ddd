/** Classes of characters in identifiers. */
const letter = 1;
const capital = 2;
const digit = 3;
/** Characters that join the parts of an identifier: `_ $ @ ~ / . : # % + = ? &`. */
const joint = 4;
const hyphen = 5;
const [dot, slash] = [46, 47] as const;

const kinds = new Uint8Array(128);
for (let code = 97; code <= 122; code++) kinds[code] = letter;
for (let code = 65; code <= 90; code++) kinds[code] = capital;
for (let code = 48; code <= 57; code++) kinds[code] = digit;
for (const character of '_$@~/.:#%+=?&') kinds[character.charCodeAt(0)] = joint;
kinds[45] = hyphen;

/** Characters that belong to the surrounding sentence when they are at the edge of an identifier. */
const leading = new Uint8Array(128);
for (const character of '-.:=#+?&%') leading[character.charCodeAt(0)] = 1;
const trailing = new Uint8Array(leading);
trailing[47] = 1;

/** Maximum length of an identifier in characters. Longer runs are data and are read in pieces. */
const maxIdentifierLength = 200;

/**
 * Calls `found` with each identifier of a text, in order: paths, symbols, ids, hashes, URLs, numbers. An identifier is
 * a run of identifier characters that is not an ordinary word: it contains a digit, a joint, or an inner capital. For
 * speed, this is one pass without regular expressions, because it reads every word of a session.
 */
export function eachIdentifier(text: string, visit: (identifier: string) => void): void {
  // With many kinds of strings, `text.charCodeAt` becomes megamorphic and slow in V8. A bound call does not.
  const codeAt: (text: string, at: number) => number = Function.prototype.call.bind(String.prototype.charCodeAt);
  const { length } = text;
  let at = 0;
  while (at < length) {
    const code = codeAt(text, at);
    if (code >= 128 || kinds[code] === 0) {
      at++;
      continue;
    }
    const from = at;
    const limit = Math.min(length, from + maxIdentifierLength);
    let letters = 0;
    let capitals = 0;
    let digits = 0;
    let joints = 0;
    for (; at < limit; at++) {
      const next = codeAt(text, at);
      const kind = next < 128 ? kinds[next] : 0;
      if (kind === letter) letters++;
      else if (kind === capital) capitals++;
      else if (kind === digit) digits++;
      else if (kind === joint) joints++;
      else if (kind !== hyphen) break;
    }
    // Most runs are plain words.
    const words = letters + capitals;
    if (words === at - from && (capitals === 0 || (capitals === 1 && kinds[code] === capital))) continue;
    if (at - from < 3 || words + digits < 2) continue;
    let start = from;
    let end = at;
    for (; leading[codeAt(text, start)]; start++) if (kinds[codeAt(text, start)] === joint) joints--;
    if (codeAt(text, start - 1) === dot && start > from) {
      // `./src/a.ts` and `src/a.ts` are the same name. The dot of `.github/a.yml` belongs to it.
      for (; codeAt(text, start) === slash; start++) joints--;
      if (start === from + 1 && joints > 0 && kinds[codeAt(text, start)] === letter) start--;
    }
    for (; trailing[codeAt(text, end - 1)]; end--) if (kinds[codeAt(text, end - 1)] === joint) joints--;
    if (end - start < 3) continue;
    const inner = kinds[codeAt(text, start)] === capital ? capitals - 1 : capitals;
    if (digits > 0 ? words > 0 || digits >= 3 : words > 2 && (joints > 0 || inner > 0)) visit(text.slice(start, end));
  }
}

/** Returns the identifiers of a text in order, with repetitions. */
export function identifiersOf(text: string): string[] {
  const all: string[] = [];
  eachIdentifier(text, (identifier) => all.push(identifier));
  return all;
}
