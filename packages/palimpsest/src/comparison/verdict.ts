import type { InputPrices } from './replay/input-cost.ts';
import { inputCost } from './replay/input-cost.ts';
import type { ReplaySizes } from './replay/replay.ts';
import { overWindow } from './replay/replay-figures.ts';
import type { EngineRow } from './run-engine.ts';
import { bestEngine, type Candidate, isCheaper } from './verdict/better-engine.ts';
import { lossSentence } from './verdict/losses.ts';
import { joinWords, plainText, type Words, word, words } from './verdict/words.ts';

/** One engine's result on a session. */
export interface JudgedEngine {
  readonly row: Pick<
    EngineRow,
    'engine' | 'outcome' | 'reachedThreshold' | 'fitsWindow' | 'tokensAfter' | 'kept' | 'taskKept' | 'wireViolations'
  >;
  /** The session replayed with the engine; `null` if it was not replayed. */
  readonly replay: ReplaySizes | null;
}

/** What a verdict is made from. */
export interface VerdictInput {
  readonly windowTokens: number;
  readonly engines: readonly JudgedEngine[];
  /** The session replayed without an engine; `null` if it was not replayed. */
  readonly recorded: ReplaySizes | null;
  readonly prices: InputPrices;
}

/** Which engine to choose for a session, and what each engine loses. Figures are not repeated: tables show them. */
export interface ComparisonVerdict {
  /** The first one names the engine, if any. */
  readonly sentences: readonly Words[];
  /** The sentences as plain text. */
  readonly text: string;
  /** The engine that is better than all others; see `isBetter`. `null` if none is, or if the session needs none. */
  readonly best: string | null;
}

/** Compares engines on one session in one window. */
export function verdictOn(input: VerdictInput): ComparisonVerdict {
  const by = (standing: Standing): readonly JudgedEngine[] =>
    input.engines.filter((one) => standingOf(one) === standing);
  const [running, waiting] = [by('running'), by('waiting')];
  if (running.length === 0)
    return toVerdict(null, [words`${waiting.length > 0 ? 'No engine would run yet.' : 'No engine removes anything.'}`]);
  const { best, sentences } = choice(input, running, waiting);
  return toVerdict(best, [...sentences, ...lossSentence(running.map(({ row }) => row))]);
}

const toVerdict = (best: string | null, sentences: readonly Words[]): ComparisonVerdict => ({
  sentences,
  text: sentences.map(plainText).join(' '),
  best,
});

/** `running` compacts the session, `waiting` is not at its threshold yet, and `stuck` is, but found nothing to remove. */
type Standing = 'running' | 'waiting' | 'stuck' | 'failed';

function standingOf({ row, replay }: JudgedEngine): Standing {
  if (row.outcome === 'failed' || row.outcome === 'aborted') return 'failed';
  if (replay && replay.compactions.length > 0) return 'running';
  if (!row.reachedThreshold) return 'waiting';
  return row.outcome === 'unchanged' && replay?.refusals !== 0 ? 'stuck' : 'running';
}

interface Choice {
  readonly best: string | null;
  readonly sentences: readonly Words[];
}

/** Chooses the engine to name by the rule in `better-engine.ts`, and says why. */
function choice(
  { windowTokens, recorded, prices }: VerdictInput,
  running: readonly JudgedEngine[],
  waiting: readonly JudgedEngine[],
): Choice {
  const isPriced = running.every(({ replay }) => replay !== null);
  const costOf = (replay: ReplaySizes): number => inputCost(replay, prices).cached.at(-1) ?? 0;
  // An engine that waits is compared, too: it sends the session whole.
  const judged = [...running, ...(isPriced ? waiting.filter(({ replay }) => replay !== null) : [])];
  const candidates = judged.map(({ row, replay }): Candidate => {
    const over = replay ? overWindow(replay, windowTokens) : 0;
    return {
      engine: row.engine,
      price: isPriced ? costOf(replay!) : row.tokensAfter,
      kept: row.kept,
      isUsable: row.fitsWindow && row.taskKept !== false && row.wireViolations === 0 && over === 0,
    };
  });
  const usable = candidates.filter((one) => one.isUsable).sort((a, b) => a.price - b.price);
  const [cheapest, second] = usable;
  if (!cheapest) return { best: null, sentences: [words`No engine leaves prompts that a provider accepts.`] };
  const fits = isPriced && recorded !== null && overWindow(recorded, windowTokens) === 0;
  if (fits && !isCheaper(cheapest.price, costOf(recorded)))
    return {
      best: null,
      sentences: [
        words`No engine is needed so far: every request fits the window, and no engine saves 10% of the cost.`,
      ],
    };
  const best = bestEngine(candidates);
  if (best) return { best: best.engine, sentences: explainChoice(best, usable, { isPriced, of: candidates.length }) };
  return { best: null, sentences: second ? [explainTie(usable, isPriced)] : [] };
}

function explainChoice(
  best: Candidate,
  usable: readonly Candidate[],
  { isPriced, of }: { readonly isPriced: boolean; readonly of: number },
): readonly Words[] {
  const others = usable.filter((one) => one !== best);
  const [other] = others;
  // Rounded down, so that the dollars shown never give a smaller share.
  const share = other ? `${Math.floor((1 - best.price / other.price) * 100 + 1e-9)}%` : '';
  const reason = !other
    ? words`it is the only one whose prompts a provider accepts`
    : isCheaper(best.price, other.price)
      ? words`it ${isPriced ? 'costs' : 'leaves'} ${share} less than ${word('engine', other.engine)}`
      : words`it keeps more`;
  return [
    words`${word('winner', best.engine)} is ${of > 2 ? 'best' : 'better'} for this session: ${reason}.`,
    ...others.flatMap((one) => whenToChoose(one, best, isPriced)),
  ];
}

/** When to choose another engine than the best one; nothing if it is better at nothing. */
function whenToChoose(other: Candidate, best: Candidate, isPriced: boolean): readonly Words[] {
  const more = (kind: keyof Candidate['kept']): boolean => other.kept[kind].kept > best.kept[kind].kept;
  const what = [
    ...(more('changedFiles') ? ['changed files'] : []),
    ...(more('userMessages') ? ['the messages of the user'] : []),
    ...(more('names') ? ['exact names'] : []),
    ...(other.price < best.price ? [isPriced ? 'cost' : 'size'] : []),
  ];
  if (what.length === 0) return [];
  const list = joinWords(
    what.map((text) => word('text', text)),
    ', ',
    ' or ',
  );
  return [
    words`Choose ${word('engine', other.engine)} if ${list} ${what.at(-1)!.endsWith('s') ? 'matter' : 'matters'} more.`,
  ];
}

function explainTie([cheapest, second, ...more]: readonly Candidate[], isPriced: boolean): Words {
  if (more.length > 0 || !isCheaper(cheapest!.price, second!.price))
    return words`No clear winner: no engine is ahead in both cost and content.`;
  return words`No clear winner: ${word('engine', cheapest!.engine)} ${isPriced ? 'costs' : 'leaves'} less, and ${word('engine', second!.engine)} keeps more.`;
}
