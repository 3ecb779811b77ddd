import type { Engines } from '@palimpsest/eval/engines/engines';
import { dialectOf, type Sample } from '@palimpsest/eval/inputs/sample';
import { createEngineHost } from '@palimpsest/registry';
import { createSession, type Inspection } from '@palimpsest/session';

/** The state of a session at the end of a recorded conversation. */
export interface ReplayedSession {
  readonly inspection: Inspection;
  readonly compactions: number;
}

/**
 * Replays a recorded conversation through a session, request by request, and reports the outcome of each message.
 * Handoffs are written by rules.
 */
export async function replaySession(
  engines: Engines,
  name: string,
  sample: Sample,
  windowTokens: number,
): Promise<ReplayedSession> {
  const { found, messages, tokens } = sample;
  const session = createSession({
    engine: (host) => engines.start(name, createEngineHost(host)),
    model: { id: 'unnamed', contextLength: windowTokens },
    tokens,
    ...dialectOf(sample),
  });
  for (const [index, message] of messages.entries()) {
    if (message.role !== 'assistant' || index === 0) continue;
    const request = await session.beforeRequest(messages.slice(0, index), { tools: found.tools });
    const completionTokens = tokens.countMessage(message);
    session.afterResponse({ promptTokens: request.info.tokens, completionTokens }, request);
  }
  const last = await session.beforeRequest([...messages], { tools: found.tools });
  const inspection = await session.inspect([...messages]);
  return { inspection, compactions: last.info.checkpoint ?? 0 };
}
