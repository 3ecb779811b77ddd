import { count, counted } from '@palimpsest/command-line/count';
import { dollars } from './dollars.ts';
import type { InputPrices } from './replay/input-cost.ts';
import type { ReplaySizes } from './replay/replay.ts';
import { tokenAmount } from './token-amount.ts';
import type { JudgedEngine } from './verdict/judged-engine.ts';
import { keptSentences } from './verdict/losses.ts';
import { costOf, overWindow, rankEngines, rankingWords } from './verdict/ranking.ts';
import { listed, plainText, type Words, word, words } from './verdict/words.ts';

export interface VerdictInput {
  readonly windowTokens: number;
  readonly engines: readonly JudgedEngine[];
  /** The session replayed without an engine; `null` if it was not replayed. */
  readonly recorded: ReplaySizes | null;
  readonly prices: InputPrices;
}

/** A comparison in a few sentences. */
export interface Verdict {
  /** Each sentence in parts, which contain the blanks between them. */
  readonly sentences: readonly Words[];
  /** The sentences as plain text. */
  readonly text: string;
  /** The engine that costs least, or leaves least without a replay. `null` for a tie, or if no result is usable. */
  readonly best: string | null;
}

/** Compares engines on one session in one window: what they do, what they cost, and what differs in what they keep. */
export function verdictOn({ windowTokens, engines, recorded, prices }: VerdictInput): Verdict {
  const by = (standing: Standing): readonly JudgedEngine[] => engines.filter((one) => standingOf(one) === standing);
  const running = by('running');
  const ranking = rankEngines(running, windowTokens, prices);
  const results = running.length > 0 ? [rankingWords(ranking)] : [];
  const waiting = by('waiting').length > 0 ? [waitingWords(by('waiting'))] : [];
  const [first, ...others] = [...results, ...waiting];
  const sentences = [
    ...(first ? [words`In a ${tokenAmount(windowTokens)} window, ${first}.`] : []),
    ...others.map((one) => words`${one}.`),
    ...by('stuck').map(({ row }) => words`${word('engine', row.engine)} finds nothing to remove: ${ended(row.reason)}`),
    ...by('failed').map(
      ({ row }) => words`${word('engine', row.engine)} ${word('bad', 'failed')}: ${ended(row.reason)}`,
    ),
    ...engines.flatMap(({ row }) => problems(row)),
    ...keptSentences(running.map(({ row }) => row)),
    ...(recorded && running.length > 0 ? [recordedWords(recorded, windowTokens, prices)] : []),
  ];
  return { sentences, text: sentences.map(plainText).join(' '), best: ranking.best };
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

function waitingWords(engines: readonly JudgedEngine[]): Words {
  const names = listed(engines.map(({ row }) => word('engine', row.engine)));
  const starts = engines.map(({ row }, at) => {
    const name = engines.length === 1 ? words`it` : word('engine', row.engine);
    return words`${name} ${at === 0 ? 'starts ' : ''}at ${count(row.thresholdTokens)}`;
  });
  return words`${names} would not run yet: the session has ${count(engines[0]!.row.tokensBefore)} tokens; ${listed(starts, ', ', ', ')}`;
}

function problems({ engine, outcome, fitsWindow, tokensAfter, wireViolations }: JudgedEngine['row']): readonly Words[] {
  if (outcome === 'failed') return [];
  const name = word('engine', engine);
  const size = word('bad', `${count(tokensAfter)} tokens do not fit into the window`);
  const rules = word('bad', `breaks a rule of the provider ${counted(wireViolations, 'time')}`);
  return [
    ...(fitsWindow ? [] : [words`What ${name} leaves is too large: ${size}, and a provider would reject them.`]),
    ...(wireViolations === 0 ? [] : [words`The result of ${name} ${rules}.`]),
  ];
}

function recordedWords(recorded: ReplaySizes, windowTokens: number, prices: InputPrices): Words {
  const over = overWindow(recorded, windowTokens);
  const requests = counted(recorded.sent.length, 'request');
  const cost = dollars(costOf(recorded, prices));
  const fits =
    over === 0
      ? ' and fits the window'
      : `, but ${count(over)} of its ${requests} ${over === 1 ? 'exceeds' : 'exceed'} the window`;
  return words`Without an engine, the session costs ${cost}${fits}.`;
}

/** A reason as the end of a sentence. */
function ended(reason: string): string {
  return /[.!?…]$/.test(reason) ? reason : `${reason}.`;
}
