import type { Engines } from '@palimpsest/eval/engines/engines';
import type { Sample } from '@palimpsest/eval/inputs/sample';
import type { ModelPrices } from '@palimpsest/tokens/models';
import { replay } from './replay.ts';
import { replayEngine } from './replay-engine.ts';
import { addReplays, type ReplayFigures, replayFigures } from './replay-figures.ts';

/** What an engine would have saved in a session, as `palimpsest savings --json` prints it. */
export interface SessionSavings {
  readonly id: string;
  /** How often the agent compacted the session itself; `null` if its file does not say. */
  readonly ownCompactions: number | null;
  /** Every request with the whole history. */
  readonly whole: ReplayFigures;
  /** Every request as the engine leaves it. */
  readonly compacted: ReplayFigures;
}

/** Replays a session without an engine and with the first one. Summaries are written by rules. */
export async function savingsOf(
  sample: Sample,
  engines: Engines,
  { windowTokens, prices }: { readonly windowTokens: number; readonly prices: ModelPrices },
): Promise<SessionSavings> {
  const recorded = await replay(sample, null);
  const run = await replayEngine(engines, engines.names[0]!, sample, { windowTokens });
  return {
    id: sample.found.id,
    ownCompactions: sample.found.compactions ?? null,
    whole: replayFigures(recorded.figures, windowTokens, prices),
    compacted: replayFigures(run.figures, windowTokens, prices),
  };
}

/** Adds up sessions. */
export function addSavingsOf(sessions: readonly SessionSavings[]): SessionSavings {
  return {
    id: 'all',
    ownCompactions: sessions.every((one) => one.ownCompactions === null)
      ? null
      : sessions.reduce((total, { ownCompactions }) => total + (ownCompactions ?? 0), 0),
    whole: addReplays(sessions.map((one) => one.whole))!,
    compacted: addReplays(sessions.map((one) => one.compacted))!,
  };
}
