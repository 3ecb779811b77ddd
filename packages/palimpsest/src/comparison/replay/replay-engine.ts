import type { Engines } from '@palimpsest/eval/engines/engines';
import { dialectOf, type Sample } from '@palimpsest/eval/inputs/sample';
import { createEngineHost } from '@palimpsest/registry';
import { type ReplayRun, replay } from './replay.ts';
import { sessionClock } from './session-clock.ts';

/**
 * Replays a session with a new engine, request by request. Summaries are written by rules.
 * @param name `null` to replay the session as recorded
 */
export async function replayEngine(
  engines: Engines,
  name: string | null,
  sample: Sample,
  windowTokens: number,
  targetTokens?: number,
): Promise<ReplayRun> {
  const { messages, tokens, overheadTokens } = sample;
  if (name === null) return replay(messages, null, { tokens, overheadTokens });
  const clock = sessionClock();
  const engine = await engines.start(name, createEngineHost({ tokens, clock, ...dialectOf(sample) }));
  await engine.updateModel({ id: 'unnamed', contextLength: windowTokens });
  return replay(messages, engine, { tokens, overheadTokens, targetTokens, clock });
}
