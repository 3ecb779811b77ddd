import { count } from '@palimpsest/command-line/count';
import type { Share } from '../kept.ts';
import type { JudgedEngine } from './judged-engine.ts';
import { listed, sentence, subject, type Words, word, words } from './words.ts';

type Row = JudgedEngine['row'];

/** One kind of text that an engine should keep. */
interface Facet {
  /** All of it: `all 14 changed files`. */
  readonly whole: Words;
  /** What is lost: `2 of 14 changed files (src/a.ts, src/b.ts)`; `null` for nothing. */
  readonly lost: Words | null;
}

/** The number of lost names to list. */
const mostNames = 3;

/** What all engines keep, and what each loses. */
export function keptSentences(rows: readonly Row[]): readonly Words[] {
  const facets = rows.map((row) => ({ engine: row.engine, facets: facetsOf(row) }));
  const [first] = facets;
  if (!first) return [];
  const keptByAll = first.facets.filter((_, at) => facets.every(({ facets: own }) => own[at]!.lost === null));
  const all = facets.map(({ engine }) => engine);
  const common =
    keptByAll.length === 0
      ? []
      : [
          sentence(
            words`${subject(all, all.length)} ${all.length === 1 ? 'keeps' : 'keep'} ${listed(keptByAll.map(({ whole }) => whole))}.`,
          ),
        ];
  const groups = new Map<string, { readonly engines: string[]; readonly lost: readonly Words[] }>();
  for (const { engine, facets: own } of facets) {
    const lost = own.flatMap((facet) => (facet.lost === null ? [] : [facet.lost]));
    const key = JSON.stringify(lost);
    const group = groups.get(key);
    if (group) group.engines.push(engine);
    else groups.set(key, { engines: [engine], lost });
  }
  const clauses = [...groups.values()].map(({ engines, lost }) => {
    const verb = engines.length === 1 ? 'loses' : 'lose';
    return words`${subject(engines, all.length)} ${verb} ${lost.length > 0 ? listed(lost) : 'nothing that is measured'}`;
  });
  const isLossless = [...groups.values()].every(({ lost }) => lost.length === 0);
  return isLossless ? common : [...common, sentence(words`${listed(clauses, '; ', '; ')}.`)];
}

function facetsOf({ kept, lastRequestKept }: Row): readonly Facet[] {
  const { userMessages, changedFiles, anchors } = kept;
  const gone = new Set(changedFiles.lost);
  return [
    ...(lastRequestKept === null
      ? []
      : [{ whole: words`the request`, lost: lastRequestKept ? null : word('bad', 'the request') }]),
    // A single message of the user is the request.
    ...(userMessages.of < 2 ? [] : [facet(userMessages, 'user message', [])]),
    ...(changedFiles.of === 0 ? [] : [facet(changedFiles, 'changed file', changedFiles.lost)]),
    ...(anchors.of === 0
      ? []
      : [
          facet(
            anchors,
            'identifier',
            anchors.lost.filter((name) => !gone.has(name)),
          ),
        ]),
  ];
}

function facet({ kept, of }: Share, noun: string, names: readonly string[]): Facet {
  const isTerm = noun === 'identifier';
  const term = (text: string): Words => word(isTerm ? 'term' : 'text', text);
  const all = of === 2 ? 'both' : `all ${count(of)}`;
  const whole = of === 1 ? words`the ${term(noun)}` : words`${all} ${term(`${noun}s`)}`;
  if (kept >= of) return { whole, lost: null };
  const shown = names.slice(0, mostNames).map((name) => word('name', name));
  const more = of - kept - shown.length;
  const list = more > 0 ? [...shown, words`${count(more)} more`] : shown;
  const named = shown.length === 0 ? [] : words` (${listed(list)})`;
  const lost = of === 1 ? words`the ${term(noun)}` : words`${count(of - kept)} of ${count(of)} ${term(`${noun}s`)}`;
  return { whole, lost: words`${lost}${named}` };
}
