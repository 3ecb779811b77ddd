import { count, counted } from '@palimpsest/command-line/count';
import { dollars } from './dollars.ts';
import { endSentence } from './end-sentence.ts';
import type { InputPrices } from './replay/input-cost.ts';
import type { ReplaySizes } from './replay/replay.ts';
import { overWindow } from './replay/replay-figures.ts';
import { tokenAmount } from './token-amount.ts';
import { candidateOf, costOf } from './verdict/candidate.ts';
import { type Headline, headlineOf } from './verdict/headline.ts';
import type { JudgedEngine } from './verdict/judged-engine.ts';
import { lossSentence } from './verdict/losses.ts';
import { listed, plainText, type Words, word, words } from './verdict/words.ts';

/** What a verdict is made from. */
export interface VerdictInput {
  readonly windowTokens: number;
  readonly engines: readonly JudgedEngine[];
  /** The session replayed without an engine; `null` if it was not replayed. */
  readonly recorded: ReplaySizes | null;
  readonly prices: InputPrices;
}

/** Which engine to choose for a session, and why, in a few sentences. */
export interface Verdict {
  /** The first sentence. It names the engine, if any. Sentences are in parts, which contain the blanks between them. */
  readonly headline: Words;
  /** Why, what each engine loses, and when to choose another. */
  readonly reasons: readonly Words[];
  /** What each engine does, and what is wrong with it. */
  readonly details: readonly Words[];
  /** The sentences as plain text. */
  readonly text: string;
  /** The engine that is better than all others; see `isBetter`. `null` if none is, or if the session needs none. */
  readonly best: string | null;
}

/** Compares engines on one session in one window: which is better, what each one loses, what they do. */
export function verdictOn(input: VerdictInput): Verdict {
  const { windowTokens, engines, recorded, prices } = input;
  const by = (standing: Standing): readonly JudgedEngine[] => engines.filter((one) => standingOf(one) === standing);
  const [running, waiting] = [by('running'), by('waiting')];
  const { best, sentences, statesRecordedCost } = running.length > 0 ? judge(input, running, waiting) : noHeadline;
  const losses = running.length > 0 ? lossSentence(running.map(({ row }) => row)) : null;
  const details = [
    ...engines.flatMap((one) => problems(one, windowTokens)),
    ...by('failed').map(
      ({ row }) => words`${word('engine', row.engine)} ${word('bad', 'failed')}: ${endSentence(row.reason)}`,
    ),
    ...by('stuck').map(
      ({ row }) => words`${word('engine', row.engine)} finds nothing to remove: ${endSentence(row.reason)}`,
    ),
    ...(waiting.length > 0 ? [waitingWords(waiting, windowTokens, running.length === 0)] : []),
    ...(recorded && !statesRecordedCost ? [recordedWords(recorded, windowTokens, prices)] : []),
  ];
  const [headline = details.shift() ?? [], ...choices] = sentences;
  const reasons = [...choices, ...(losses ? [losses] : [])];
  const spoken = { headline, reasons, details };
  return { ...spoken, text: sentencesOf(spoken).map(plainText).join(' '), best };
}

/** All sentences of a verdict. */
export function sentencesOf({ headline, reasons, details }: Omit<Verdict, 'text' | 'best'>): readonly Words[] {
  return [headline, ...reasons, ...details];
}

const noHeadline: Headline = { best: null, sentences: [], statesRecordedCost: true };

function judge(
  { windowTokens, recorded, prices }: VerdictInput,
  running: readonly JudgedEngine[],
  waiting: readonly JudgedEngine[],
): Headline {
  const isPriced = running.every(({ replay }) => replay !== null);
  // An engine that waits sends the session whole, at the price of its replay.
  const judged = [...running, ...(isPriced ? waiting.filter(({ replay }) => replay !== null) : [])];
  const fits = recorded !== null && overWindow(recorded, windowTokens) === 0;
  return headlineOf({
    candidates: judged.map((one) => candidateOf(one, isPriced, windowTokens, prices)),
    isPriced,
    windowTokens,
    requests: running[0]?.replay?.sent.length ?? 0,
    withoutEngine: fits && isPriced ? costOf(recorded, prices) : null,
  });
}

/** `waiting`: the prompt is below the threshold. `stuck`: the engine was asked to run and changed nothing. */
type Standing = 'running' | 'waiting' | 'stuck' | 'failed';

function standingOf({ row, replay }: JudgedEngine): Standing {
  if (row.outcome === 'failed' || row.outcome === 'aborted') return 'failed';
  if (replay && replay.compactions.length > 0) return 'running';
  if (!row.reachedThreshold) return 'waiting';
  // Without a refusal, the session ended before the request that would be compacted.
  return row.outcome === 'unchanged' && replay?.refusals !== 0 ? 'stuck' : 'running';
}

function waitingWords(engines: readonly JudgedEngine[], windowTokens: number, areAll: boolean): Words {
  const size = count(engines[0]!.row.tokensBefore);
  const starts = engines.map(({ row }, at) => {
    const starts = at === 0 ? 'starts ' : '';
    return words`${word('engine', row.engine)} ${starts}at ${count(row.thresholdTokens)}`;
  });
  const list = listed(starts, ', ', ', ');
  return areAll
    ? words`No engine would run yet: the session has ${size} tokens; in a ${tokenAmount(windowTokens)} window, ${list}.`
    : words`${listed(engines.map(({ row }) => word('engine', row.engine)))} would not run yet: the session has ${size} tokens, and ${list}.`;
}

function problems({ row, replay }: JudgedEngine, windowTokens: number): readonly Words[] {
  const { engine, outcome, fitsWindow, tokensAfter, wireViolations } = row;
  if (outcome === 'failed') return [];
  const name = word('engine', engine);
  const over = replay ? overWindow(replay, windowTokens) : 0;
  const size = word('bad', `${count(tokensAfter)} tokens do not fit into the window`);
  const requests = word('bad', `${counted(over, 'request')} that ${over === 1 ? 'exceeds' : 'exceed'} the window`);
  const rules = word('bad', `breaks a rule of the provider ${counted(wireViolations, 'time')}`);
  return [
    ...(fitsWindow ? [] : [words`What ${name} leaves is too large: ${size}, and a provider would reject them.`]),
    ...(over === 0 ? [] : [words`${name} sends ${requests}.`]),
    ...(wireViolations === 0 ? [] : [words`The result of ${name} ${rules}.`]),
  ];
}

function recordedWords(recorded: ReplaySizes, windowTokens: number, prices: InputPrices): Words {
  const over = overWindow(recorded, windowTokens);
  const requests = counted(recorded.sent.length, 'request');
  const fits =
    over === 0
      ? ' and fits the window'
      : `, but ${count(over)} of its ${requests} ${over === 1 ? 'exceeds' : 'exceed'} the window`;
  return words`Without an engine, the input costs ${dollars(costOf(recorded, prices))}${fits}.`;
}
