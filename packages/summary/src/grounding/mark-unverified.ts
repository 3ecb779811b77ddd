import { eachIdentifier } from '@palimpsest/salience';
import type { Grounded, GroundTruth } from './grounded.ts';

/** Stands behind a path or identifier that the source does not know. */
const mark = ' (unverified)';
/** How many unknown identifiers are looked for in the whole text before they are marked; bounds the time. */
const mostSearched = 64;
/** So many are looked for one by one; beyond, every name of the source is read once. */
const fewSearched = 8;

const path: RegExp =
  /^(?:[a-z]+:\/\/|~?\/|\.{1,2}\/)?[\w.@+-]+(?:\/[\w.@+-]+)+\/?$|^[\w-]+\.(?:[cm]?[jt]sx?|py|go|rs|rb|java|kt|swift|c|cc|cpp|h|hpp|cs|php|sh|sql|json|ya?ml|toml|md|txt|html|css|lock|env|xml|csv|ini|cfg|conf|log)$/;
const identifier: RegExp = /^(?:[0-9a-f]{7,64}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[A-Z][A-Z0-9]{1,15}-\d+)$/i;
const symbol: RegExp = /^[A-Za-z_$][\w$]*(?:_[\w$]+|[a-z][A-Z][\w$]*|\.[A-Za-z_$][\w$]*)(?:\(\))?$/;

/**
 * Marks what a model made up: a path, id, hash or address anywhere in the summary, or a symbol between backticks, that
 * occurs nowhere in the turns, the summary so far or the rest of the transcript.
 * @param known the texts it may come from; asked for only as far as one is looked for, for most stand in the first
 */
export function markUnverified(grounded: Grounded, truth: GroundTruth, known: () => Iterable<string>): Grounded {
  const verdicts = new Map<string, boolean>();
  let names: ReadonlySet<string> | null = null;
  let searched = 0;
  const isKnown = (text: string): boolean => {
    const decided = verdicts.get(text);
    if (decided !== undefined) return decided;
    if (searched >= fewSearched) names ??= namesIn(known());
    const verdict = names?.has(text) || searched++ >= mostSearched || standsIn(known(), text);
    verdicts.set(text, verdict);
    return verdict;
  };
  const invented = new Set<string>();
  const skipped = truth.roles.own('task');
  const sections = grounded.sections.map((section, index) =>
    index === skipped
      ? section
      : section.replace(
          /(`)([^`\n]{3,200})`|[A-Za-z0-9_@~/.][\w@~/.:+-]{2,199}/g,
          (match, tick: string | undefined, quoted: string | undefined, at: number) => {
            const text = (quoted ?? match).replace(/[.:,+-]+$/, '').replace(/:\d+(?:[:-]\d+)*$/, '');
            const suspicious = path.test(text) || identifier.test(text) || (tick !== undefined && symbol.test(text));
            if (!suspicious || /^\d+(?:[./]\d+)*$/.test(text) || isKnown(text.replace(/\(\)$/, ''))) return match;
            if (section.startsWith(mark, at + match.length)) return match;
            invented.add(text);
            return tick === undefined ? `${text}${mark}${match.slice(text.length)}` : `${match}${mark}`;
          },
        ),
  );
  if (invented.size === 0) return grounded;
  return {
    sections,
    warnings: [
      ...grounded.warnings,
      `${invented.size} ${invented.size === 1 ? 'path or identifier' : 'paths or identifiers'} in the summary ${invented.size === 1 ? 'occurs' : 'occur'} nowhere in the source and ${invented.size === 1 ? 'was' : 'were'} marked unverified.`,
    ],
  };
}

function standsIn(texts: Iterable<string>, wanted: string): boolean {
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
