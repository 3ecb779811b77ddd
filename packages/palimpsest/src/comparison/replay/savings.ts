import type { Engines } from '@palimpsest/eval/engines/engines';
import type { Sample } from '@palimpsest/eval/inputs/sample';
import type { InputPrices } from './input-cost.ts';
import { replay } from './replay.ts';
import { replayEngine } from './replay-engine.ts';
import { type ReplayFigures, replayFigures } from './replay-figures.ts';

/** What a session was sent, or would have been sent. */
type Sent = Pick<ReplayFigures, 'sentTokens' | 'dollars' | 'overWindow'>;

/** What an engine would have saved in a session, as `palimpsest savings --json` prints it. */
export interface SessionSavings {
  readonly id: string;
  readonly requests: number;
  /** Tokens of the largest prompt with the whole history. */
  readonly largestPrompt: number;
  /** Number of requests that do not fit the window with the whole history. */
  readonly overWindow: number;
  /** How often the agent compacted the session itself; `null` if its file does not say. */
  readonly ownCompactions: number | null;
  /** Every request with the whole history. */
  readonly whole: Sent;
  /** Every request as the engine leaves it. */
  readonly compacted: Sent;
}

/** Replays a session without an engine and with the first one. Summaries are written by rules. */
export async function savingsOf(
  sample: Sample,
  engines: Engines,
  { windowTokens, prices }: { readonly windowTokens: number; readonly prices: InputPrices },
): Promise<SessionSavings> {
  const recorded = await replay(sample, null);
  const whole = replayFigures(recorded.figures, windowTokens, prices);
  const run = await replayEngine(engines, engines.names[0]!, sample, { windowTokens });
  return {
    id: sample.found.id,
    requests: whole.requests,
    largestPrompt: whole.largestPrompt,
    overWindow: whole.overWindow,
    ownCompactions: sample.found.compactions ?? null,
    whole: pickSent(whole),
    compacted: pickSent(replayFigures(run.figures, windowTokens, prices)),
  };
}

function pickSent({ sentTokens, dollars, overWindow }: ReplayFigures): Sent {
  return { sentTokens, dollars, overWindow };
}

/** Adds up sessions. */
export function addSavingsOf(sessions: readonly SessionSavings[]): SessionSavings {
  const sum = (value: (one: SessionSavings) => number): number =>
    sessions.reduce((total, one) => total + value(one), 0);
  const addSent = (of: (one: SessionSavings) => Sent): Sent => ({
    sentTokens: sum((one) => of(one).sentTokens),
    dollars: sum((one) => of(one).dollars),
    overWindow: sum((one) => of(one).overWindow),
  });
  return {
    id: 'all',
    requests: sum(({ requests }) => requests),
    largestPrompt: Math.max(0, ...sessions.map(({ largestPrompt }) => largestPrompt)),
    overWindow: sum(({ overWindow }) => overWindow),
    ownCompactions: sessions.every((one) => one.ownCompactions === null)
      ? null
      : sum(({ ownCompactions }) => ownCompactions ?? 0),
    whole: addSent(({ whole }) => whole),
    compacted: addSent(({ compacted }) => compacted),
  };
}
