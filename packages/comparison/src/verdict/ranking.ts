import { count, counted } from '@palimpsest/command-line/count';
import { dollars } from '../dollars.ts';
import { type InputPrices, inputCost } from '../replay/input-cost.ts';
import type { ReplaySizes } from '../replay/replay.ts';
import type { JudgedEngine } from './judged-engine.ts';
import { listed, type Words, word, words } from './words.ts';

/** An engine with the figure by which engines are ranked. */
interface RankedEngine {
  readonly engine: string;
  readonly compactions: number;
  /** Requests of the replay that exceed the window. */
  readonly over: number;
  /** The cost of the replay in dollars, or the tokens that are left. */
  readonly value: number;
  readonly shown: string;
}

/** Engines by what they cost, or by what they leave if one was not replayed; the least first. */
export interface Ranking {
  readonly engines: readonly RankedEngine[];
  readonly isPriced: boolean;
  /** `null` for a tie, for a single engine, and if no result is usable. */
  readonly best: string | null;
}

export function rankEngines(judged: readonly JudgedEngine[], windowTokens: number, prices: InputPrices): Ranking {
  const isPriced = judged.every(({ replay }) => replay !== null);
  const engines = judged
    .map(({ row, replay }): RankedEngine => {
      const value = isPriced ? costOf(replay!, prices) : row.tokensAfter;
      return {
        engine: row.engine,
        compactions: replay?.compactions.length ?? 0,
        over: replay ? overWindow(replay, windowTokens) : 0,
        value,
        shown: isPriced ? dollars(value) : count(value),
      };
    })
    .sort((a, b) => a.value - b.value);
  const broken = judged.filter(({ row }) => !row.fitsWindow || row.lastRequestKept === false || row.wireViolations > 0);
  const unusable = new Set(broken.map(({ row }) => row.engine));
  const [first, second] = engines.filter(({ engine, over }) => over === 0 && !unusable.has(engine));
  const isBest = first !== undefined && engines.length > 1 && first.shown !== second?.shown;
  return { engines, isPriced, best: isBest ? first.engine : null };
}

/** What each engine does and costs: `compressor compacts 3 times and costs $2.72; prune-compact compacts …`. */
export function rankingWords({ engines, isPriced, best }: Ranking): Words {
  const least = engines[0]!;
  const isTie = engines.length > 1 && engines.every(({ shown }) => shown === least.shown);
  const clauses = engines.map((ranked): Words => {
    const name = word('engine', ranked.engine);
    const figure = word(ranked.engine === best ? 'best' : 'text', ranked.shown);
    const share = moreThan(ranked.value, least.value);
    if (!isPriced) return words`${name} leaves ${figure} tokens${share}`;
    const does =
      ranked.compactions === 0 ? 'compacts before the next request' : `compacts ${times(ranked.compactions)}`;
    return isTie
      ? words`${name} ${does}${tooLarge(ranked.over)}`
      : words`${name} ${does} and costs ${figure}${share}${tooLarge(ranked.over)}`;
  });
  if (!isTie || !isPriced) return listed(clauses, '; ', '; ');
  return words`${listed(clauses)}; ${engines.length === 2 ? 'both cost' : 'each costs'} ${least.shown}`;
}

/** How much more a value is: ` (25% more)`, ` (2.5 times as much)`. */
function moreThan(value: number, least: number): string {
  const ratio = value / least;
  if (!Number.isFinite(ratio) || ratio < 1.005) return '';
  return ratio < 2
    ? ` (${Math.round((ratio - 1) * 100)}% more)`
    : ` (${count(Math.round(ratio * 10) / 10)} times as much)`;
}

function tooLarge(requests: number): Words {
  if (requests === 0) return [];
  const problem = `${counted(requests, 'request')} ${requests === 1 ? 'exceeds' : 'exceed'} the window`;
  return words`, but ${word('bad', problem)}`;
}

function times(number: number): string {
  return ['never', 'once', 'twice'][number] ?? `${count(number)} times`;
}

/** The cost of all prompts of a replay, with a cache, in dollars. */
export function costOf(replay: ReplaySizes, prices: InputPrices): number {
  return inputCost(replay, prices).cached.at(-1) ?? 0;
}

/** Number of requests that exceed the window. */
export function overWindow({ sent }: ReplaySizes, windowTokens: number): number {
  return sent.filter((tokens) => tokens > windowTokens).length;
}
