import type { ContextEvent, EngineHost } from '@palimpsest/core';
import { z } from 'zod';
import { jsonCopy } from './json-copy.ts';

const words = z.string().max(2_000);
const amount = z.number();

/** What an engine has to tell about its own work. Everything else is told by core, the quarantine or the session. */
const ownEvents = z.discriminatedUnion('type', [
  z.object({ type: z.literal('warning'), message: words }),
  z.object({ type: z.literal('compress-phase'), phase: words, durationMs: amount, reclaimedTokens: amount }),
  z.object({ type: z.literal('summary-start'), summarizer: words, budgetTokens: amount }),
  z.object({ type: z.literal('summary-end'), summarizer: words, durationMs: amount, failure: words.nullable() }),
  z.object({ type: z.literal('summary-fallback'), reason: words, removedMessages: amount }),
]);

/** Told by core and the quarantine, and by nobody else. */
const reserved: ReadonlySet<string> = new Set([
  'compress-start',
  'compress-end',
  'summary-aborted',
  'threshold-blocked',
  'snapshot-discarded',
  'engine-quarantined',
  'engine-restored',
  'engine-method-failed',
  'plugin-event',
  ...ownEvents.options.map(({ shape }) => shape.type.value),
]);

const anyEvent = z.looseObject({ type: z.string().min(1).max(100) });

/**
 * An event of a foreign engine as it is passed on: signed with the engine's name, masked, and with the fields its type
 * has. An event of a name of the plugin's own becomes a `plugin-event`, so that none can pass for one of a session.
 * @returns `null` for what is no event, or is for others to tell: `emit` never throws
 */
export function foreignEvent(event: unknown, engine: string, host: EngineHost): ContextEvent | null {
  try {
    const copy = jsonCopy(event, 'an event', { redact: (text) => host.redact(text) });
    const own = ownEvents.safeParse(copy);
    if (own.success) return { ...own.data, engine };
    const any = anyEvent.safeParse(copy);
    if (!any.success || reserved.has(any.data.type)) return null;
    const { type: name, ...data } = any.data;
    return { type: 'plugin-event', engine, name, data };
  } catch {
    return null;
  }
}
