import { type ContextEngine, PalimpsestError, type ToolSchema } from '@palimpsest/core';
import type { SessionOptions } from '../options/session-options.ts';
import type { SessionParts } from '../parts/session-parts.ts';

/** Creates the engine of a session, and starts the session on it. */
export async function openSession(
  { engine, events, host, id, provider: { model }, recall }: SessionParts,
  given: SessionOptions['engine'],
): Promise<void> {
  const created = typeof given === 'function' ? await given(host) : given;
  checkEngineTools(created, recall.tools);
  engine.set(created);
  model.updateEngine();
  await model.engineUpdated();
  try {
    await engine.ready.onSessionStart({ sessionId: id });
  } catch {
    events.publish({ type: 'hook-failed', hook: 'engine.onSessionStart', reason: 'The engine threw.' });
  }
}

/** @throws {PalimpsestError} `OPTION_INVALID` */
function checkEngineTools(engine: ContextEngine, own: readonly ToolSchema[]): void {
  const names = new Set(own.map((schema) => schema.function.name));
  const shared = engine.toolSchemas().find((schema) => names.has(schema.function.name))?.function.name;
  if (shared === undefined) return;
  const message = `The engine "${engine.name}" has a tool "${shared}" of its own. Turn off the session's tools: recall: false.`;
  throw new PalimpsestError('OPTION_INVALID', `createSession: ${message}`, { issues: [{ path: 'recall', message }] });
}
