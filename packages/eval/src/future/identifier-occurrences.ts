/** An exact name in a text, and its position. */
export interface Occurrence {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

// Names that cannot be guessed: URLs, paths and file names, UUIDs and hashes, ticket numbers, symbols in camel case or
// with underscores or dots, numbers with units. Alternatives are ordered from most to least specific; each is linear.
const identifier =
  /https?:\/\/[^\s"'`<>()[\]{}|\\^]{4,300}|(?:~|\.{1,2})?(?:\/[\w.@+-]{1,120}){2,40}|(?:[\w@+-][\w.@+-]{0,80}\/){1,30}[\w@+-][\w.@+-]{0,120}|\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b|\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,64}\b|\b[A-Z]{2,10}-\d{1,6}\b|#\d{2,7}\b|\b[A-Za-z_$][\w$]{0,60}(?:\.[A-Za-z_$][\w$]{0,60}){1,6}\b|\b[A-Za-z][a-z0-9]{0,40}(?:[A-Z][a-z0-9]{1,40}){1,8}\b|\b[A-Za-z0-9]{1,40}(?:_[A-Za-z0-9]{1,40}){1,10}\b|\b\d[\d,]{0,12}(?:\.\d{1,6})? ?(?:ms|s|sec|min|h|kB|KB|MB|GB|KiB|MiB|GiB|%|px|tokens?|lines?|bytes?|chars?)\b|\b\d{3,12}\b/g;

/** Finds the exact names in a text, in order and without overlap. Trailing punctuation is not part of a name. */
export function identifiersIn(text: string): Occurrence[] {
  const found: Occurrence[] = [];
  identifier.lastIndex = 0;
  for (let match = identifier.exec(text); match; match = identifier.exec(text)) {
    const name = match[0].replace(/[.,:;!?]+$/, '');
    if (name.length >= 3) found.push({ name, start: match.index, end: match.index + name.length });
  }
  return found;
}
