import { eachIdentifier } from '@palimpsest/pruner/salience';

/** Follows a path or identifier that occurs nowhere in the source. */
const unverifiedMark = ' (unverified)';
/** Maximum number of identifiers to search for in all texts, to bound the time. The rest count as known. */
const mostSearched = 64;
/** Maximum number of identifiers to search for one by one. For more, all names in the source are indexed once. */
const fewSearched = 8;

const path: RegExp =
  /^(?:[a-z]+:\/\/|~?\/|\.{1,2}\/)?[\w.@+-]+(?:\/[\w.@+-]+)+\/?$|^[\w-]+\.(?:[cm]?[jt]sx?|py|go|rs|rb|java|kt|swift|c|cc|cpp|h|hpp|cs|php|sh|sql|json|ya?ml|toml|md|txt|html|css|lock|env|xml|csv|ini|cfg|conf|log)$/;
const identifier: RegExp = /^(?:[0-9a-f]{7,64}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[A-Z][A-Z0-9]{1,15}-\d+)$/i;
const symbol: RegExp = /^[A-Za-z_$][\w$]*(?:_[\w$]+|[a-z][A-Z][\w$]*|\.[A-Za-z_$][\w$]*)(?:\(\))?$/;

/**
 * Marks paths, ids, hashes and URLs, and symbols in backticks, that occur nowhere in the turns, the previous summary or
 * the rest of the transcript: the model made them up.
 */
export function markUnverified(
  page: readonly string[],
  knownTexts: () => Iterable<string>,
): { readonly page: readonly string[]; readonly warnings: readonly string[] } {
  const verdicts = new Map<string, boolean>();
  let known: ReadonlySet<string> | null = null;
  let searched = 0;
  const isKnown = (text: string): boolean => {
    const decided = verdicts.get(text);
    if (decided !== undefined) return decided;
    if (searched >= fewSearched) known ??= namesIn(knownTexts());
    const verdict = known?.has(text) || searched++ >= mostSearched || occursIn(knownTexts(), text);
    verdicts.set(text, verdict);
    return verdict;
  };
  const invented = new Set<string>();
  const sections = page.map((section) =>
    section.replace(
      /(`)([^`\n]{3,200})`|[A-Za-z0-9_@~/.][\w@~/.:+-]{2,199}/g,
      (match, tick: string | undefined, quoted: string | undefined, at: number) => {
        const text = (quoted ?? match).replace(/[.:,+-]+$/, '').replace(/:\d+(?:[:-]\d+)*$/, '');
        const suspicious = path.test(text) || identifier.test(text) || (tick !== undefined && symbol.test(text));
        if (!suspicious || /^\d+(?:[./]\d+)*$/.test(text) || isKnown(text.replace(/^\.\/|\(\)$/g, ''))) return match;
        if (section.startsWith(unverifiedMark, at + match.length)) return match;
        invented.add(text);
        return tick === undefined ? `${text}${unverifiedMark}${match.slice(text.length)}` : `${match}${unverifiedMark}`;
      },
    ),
  );
  const names = `${invented.size} ${invented.size === 1 ? 'path or identifier' : 'paths or identifiers'}`;
  return {
    page: sections,
    warnings: invented.size === 0 ? [] : [`${names} in the summary not found in the source; marked as unverified.`],
  };
}

/** An earlier page without the names that were marked in it: the page itself does not make them known. */
export function withoutUnverified(text: string): string {
  return text
    .split(unverifiedMark)
    .map((piece, at, { length }) => (at < length - 1 ? piece.replace(/(?:`[^`\n]{1,200}`|[^\s`]{1,200})$/, '') : piece))
    .join('');
}

function occursIn(texts: Iterable<string>, wanted: string): boolean {
  for (const text of texts) if (text.includes(wanted)) return true;
  return false;
}

function namesIn(texts: Iterable<string>): Set<string> {
  const names = new Set<string>();
  for (const text of texts)
    eachIdentifier(text, (found) => {
      names.add(found);
      for (const piece of found.split(/[/\\:=]/)) if (piece.length > 2) names.add(piece);
    });
  return names;
}
