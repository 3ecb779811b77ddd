import { count } from '@palimpsest/command-line/count';
import type { Share } from '../kept.ts';
import type { JudgedEngine } from './judged-engine.ts';
import { listed, sentence, subject, type Words, word, words } from './words.ts';

type Row = JudgedEngine['row'];

/** One kind of text that an engine should keep. */
interface Facet {
  /** All of it: `all 14 changed files`. */
  readonly whole: Words;
  /** What is lost: `2 of the 14 changed files (src/a.ts, src/b.ts)`; `null` for nothing. */
  readonly lost: Words | null;
}

/** The number of lost names to list. */
const mostNames = 3;

/** What all engines keep, and what each loses. */
export interface KeptSentences {
  /** `null` if they have nothing in common. */
  readonly common: Words | null;
  /** `null` if no engine loses anything. */
  readonly losses: Words | null;
}

/** @param rows at least one */
export function keptSentences(rows: readonly Row[]): KeptSentences {
  const facets = rows.map((row) => ({ engine: row.engine, facets: facetsOf(row) }));
  const keptByAll = facets[0]!.facets.filter((_, at) => facets.every(({ facets: own }) => own[at]!.lost === null));
  const all = facets.map(({ engine }) => engine);
  const keep = all.length === 1 ? 'keeps' : 'keep';
  const common = words`${subject(all, all.length)} ${keep} ${listed(keptByAll.map(({ whole }) => whole))}.`;
  const groups = new Map<string, { readonly engines: string[]; readonly lost: readonly Words[] }>();
  for (const { engine, facets: own } of facets) {
    const lost = own.flatMap((facet) => (facet.lost === null ? [] : [facet.lost]));
    const key = JSON.stringify(lost);
    const group = groups.get(key);
    if (group) group.engines.push(engine);
    else groups.set(key, { engines: [engine], lost });
  }
  const clauses = [...groups.values()].map(({ engines, lost }, at) => {
    const verb = engines.length === 1 ? 'loses' : 'lose';
    const what = lost.length > 0 ? listed(lost) : words`nothing that is measured`;
    const isNew = ![...groups.values()].slice(0, at).some((group) => hasKinds(group.lost.flat()));
    return words`${subject(engines, all.length)} ${verb} ${isNew ? what : withoutKinds(what)}`;
  });
  const isLossless = [...groups.values()].every(({ lost }) => lost.length === 0);
  return {
    common: keptByAll.length > 0 ? sentence(common) : null,
    losses: isLossless ? null : sentence(words`${listed(clauses, '; ', '; ')}.`),
  };
}

function facetsOf({ kept, lastRequestKept }: Row): readonly Facet[] {
  const { userMessages, changedFiles, anchors } = kept;
  const gone = new Set(changedFiles.lost);
  const otherNames = anchors.lost.filter((name) => !gone.has(name));
  return [
    ...(lastRequestKept === null
      ? []
      : [{ whole: words`the request`, lost: lastRequestKept ? null : word('bad', 'the request') }]),
    // A single message of the user is the request.
    ...(userMessages.of < 2 ? [] : [facet(userMessages, 'user message', 'the exact words of ')]),
    ...(changedFiles.of === 0 ? [] : [facet(changedFiles, 'changed file', '', changedFiles.lost)]),
    ...(anchors.of === 0 ? [] : [facet(anchors, 'exact name', '', otherNames, nameKinds)]),
  ];
}

/** Explains exact names in the sentence itself. A reader who does not know the term would overlook the loss. */
const nameKinds = 'file names, paths, URLs and hashes';

function hasKinds(parts: Words): boolean {
  return parts.some(({ text }) => text === nameKinds);
}

/** Calls exact names just names, where their kinds were listed before. */
function withoutKinds(parts: Words): Words {
  return parts.map((part) => (part.text === nameKinds ? { ...part, text: 'names' } : part));
}

/**
 * @param before what is lost of each
 * @param plural how several are called. @default the noun with an s
 */
function facet(
  { kept, of }: Share,
  noun: string,
  before: string,
  names: readonly string[] = [],
  plural = `${noun}s`,
): Facet {
  const all = of === 2 ? 'both' : `all ${count(of)}`;
  const whole = of === 1 ? words`the ${noun}` : words`${all} ${plural}`;
  if (kept >= of) return { whole, lost: null };
  const shown = names.slice(0, mostNames).map((name) => word('name', name));
  const more = of - kept - shown.length;
  const list = more > 0 ? [...shown, words`${count(more)} more`] : shown;
  const named = shown.length === 0 ? [] : words` (${listed(list)})`;
  const lost =
    of === 1 ? words`${before}the ${noun}` : words`${before}${count(of - kept)} of the ${count(of)} ${plural}`;
  return { whole, lost: words`${lost}${named}` };
}
