import type { SessionOptions } from '../options/session-options.ts';
import type { SessionParts } from '../session-parts.ts';

/** Creates the engine of a session, and starts the session on it. */
export async function openSession(
  { engine, events, host, id, model }: Pick<SessionParts, 'engine' | 'events' | 'host' | 'id' | 'model'>,
  given: SessionOptions['engine'],
): Promise<void> {
  engine.set(typeof given === 'function' ? await given(host) : given);
  model.updateEngine();
  await model.engineUpdated();
  try {
    await engine.ready.onSessionStart({ sessionId: id });
  } catch {
    events.publish({ type: 'hook-failed', hook: 'engine.onSessionStart', reason: 'The engine threw.' });
  }
}
