import type { ContextEvent, EngineHost } from '@palimpsest/core';
import { z } from 'zod';
import { jsonCopy } from './json-copy.ts';

const words = z.string().max(2_000);
const amount = z.number();

/** Events an engine may emit. All others come from core, the quarantine or the session. */
const ownEvents = z.discriminatedUnion('type', [
  z.object({ type: z.literal('warning'), message: words }),
  z.object({ type: z.literal('compress-phase'), phase: words, durationMs: amount, reclaimedTokens: amount }),
  z.object({ type: z.literal('summary-start'), summarizer: words, budgetTokens: amount }),
  z.object({ type: z.literal('summary-end'), summarizer: words, durationMs: amount, failure: words.nullable() }),
  z.object({ type: z.literal('summary-fallback'), reason: words, removedMessages: amount }),
]);

/** Event types reserved for core and the quarantine, and engine events that must match their schema. */
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
 * Sanitizes an event of a foreign engine: masks secrets, keeps only the fields of its type, and adds the engine's name.
 * Custom events become `plugin-event`, so that a plugin cannot imitate a session event.
 * @returns `null` for an invalid or reserved event, instead of an error, because `emit` never throws
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
