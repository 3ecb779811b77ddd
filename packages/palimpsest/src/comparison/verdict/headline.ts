import { count } from '@palimpsest/command-line/count';
import { dollars } from '../dollars.ts';
import { tokenAmount } from '../token-amount.ts';
import { bestEngine, isCheaper } from './better-engine.ts';
import type { Candidate } from './candidate.ts';
import { listed, type Words, word, words } from './words.ts';

/** What a headline is about. */
export interface Judged {
  /** The engines that compact, or would, in the order in which they are shown. */
  readonly candidates: readonly Candidate[];
  /** True if prices are dollars; false if they are the tokens that are left. */
  readonly isPriced: boolean;
  readonly windowTokens: number;
  /** Number of requests in the session. */
  readonly requests: number;
  /** The cost of the session without an engine in dollars; `null` if it does not fit the window, or was not replayed. */
  readonly withoutEngine: number | null;
}

/** The first sentences of a verdict: which engine to choose, why, and when to choose another. */
export interface Headline {
  readonly best: string | null;
  readonly sentences: readonly Words[];
  /** True if the sentences state what the session costs without an engine. */
  readonly statesRecordedCost: boolean;
}

/** Chooses the engine to name by the rule in `better-engine.ts`, and says why. */
export function headlineOf(judged: Judged): Headline {
  const { candidates, withoutEngine } = judged;
  const usable = candidates.filter((one) => one.isUsable).sort((a, b) => a.price - b.price);
  const withoutBest = (...sentences: readonly Words[]): Headline => ({
    best: null,
    sentences,
    statesRecordedCost: false,
  });
  const [first, second] = usable;
  if (!first) return withoutBest(words`No engine leaves prompts that a provider accepts.`);
  if (withoutEngine !== null && !isCheaper(first.price, withoutEngine))
    return { ...withoutBest(notNeeded(judged, withoutEngine)), statesRecordedCost: true };
  const best = bestEngine(candidates);
  if (best) return { ...withoutBest(...chosen(judged, best, usable)), best: best.engine };
  return withoutBest(second ? undecided(judged, usable) : alone(judged, first));
}

function notNeeded({ windowTokens }: Judged, withoutEngine: number): Words {
  return words`No engine is needed so far: every request fits a ${tokenAmount(windowTokens)} window, and no engine saves 10% of the ${dollars(withoutEngine)} that the input costs with the ${cache}.`;
}

/** One engine, with nothing to compare it to. */
function alone(judged: Judged, { engine, price }: Candidate): Words {
  return words`${word('engine', engine)}: ${spent(judged, price)}.`;
}

function chosen(judged: Judged, best: Candidate, usable: readonly Candidate[]): readonly Words[] {
  const others = usable.filter((one) => one !== best);
  const other = others[0];
  const start = words`${word('winner', best.engine)} is ${judged.candidates.length > 2 ? 'best' : 'better'} for this session: `;
  if (!other)
    return [words`${start}it is the only one whose prompts a provider accepts; ${spent(judged, best.price)}.`];
  const reason = isCheaper(best.price, other.price)
    ? words`${start}${spent(judged, best.price)}, ${less(judged, best, other)}.`
    : words`${start}it keeps more, and ${spent(judged, best.price)} (${word('engine', other.engine)}: ${amount(judged, other.price)}).`;
  return [reason, ...others.flatMap((one) => reasonsFor(judged, one, best))];
}

/** When to choose the other engine; nothing if it is better at nothing. */
function reasonsFor(judged: Judged, other: Candidate, best: Candidate): readonly Words[] {
  const more = (kind: 'changedFiles' | 'userMessages' | 'names'): boolean => other[kind].kept > best[kind].kept;
  const what = [
    ...(more('changedFiles') ? [words`changed files`] : []),
    ...(more('userMessages') ? [words`the user's exact words`] : []),
    ...(more('names') ? [words`exact names`] : []),
    ...(other.price < best.price ? [judged.isPriced ? words`cost` : words`size`] : []),
  ];
  if (what.length === 0) return [];
  return [words`Choose ${word('engine', other.engine)} if ${listed(what, ', ', ' or ')} ${verbFor(what)} more.`];
}

function verbFor(what: readonly Words[]): string {
  return /s$/.test(what.at(-1)!.at(-1)!.text) ? 'matter' : 'matters';
}

function undecided(judged: Judged, usable: readonly Candidate[]): Words {
  const [first, second] = usable as [Candidate, Candidate];
  const all = usable.map(({ engine, price }) => words`${word('engine', engine)} ${amount(judged, price)}`);
  const prices = judged.isPriced
    ? words`the input costs ${listed(all)} with the ${cache}`
    : words`tokens left: ${listed(all)}`;
  const isClear = usable.length === 2 && isCheaper(first.price, second.price);
  const why = isClear
    ? words`${word('engine', first.engine)} ${judged.isPriced ? 'costs' : 'leaves'} less, and ${word('engine', second.engine)} keeps more`
    : words`neither cost nor what is kept decides`;
  return words`No clear winner: ${why}; ${prices}.`;
}

const cache: Words = word('term', "provider's cache");

/** `the input of all 123 requests costs $2.74 with the provider's cache`, or `it leaves 30,884 tokens`. */
function spent({ isPriced, requests }: Judged, price: number): Words {
  return isPriced
    ? words`the input of ${requestsWords(requests)} costs ${word('best', dollars(price))} with the ${cache}`
    : words`it leaves ${word('best', count(price))} tokens`;
}

function requestsWords(requests: number): string {
  return requests === 1 ? 'its request' : `all ${count(requests)} requests`;
}

function amount({ isPriced }: Judged, price: number): string {
  return isPriced ? dollars(price) : `${count(price)} tokens`;
}

/** `25% less than with prune-compact ($3.67)`. Rounded down, so that the dollars shown never give a smaller share. */
function less(judged: Judged, best: Candidate, other: Candidate): Words {
  const share = `${Math.floor((1 - best.price / other.price) * 100 + 1e-9)}%`;
  const figure = judged.isPriced ? dollars(other.price) : count(other.price);
  return words`${share} less than with ${word('engine', other.engine)} (${figure})`;
}
