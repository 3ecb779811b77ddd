import type { Attributes } from '@opentelemetry/api';
import type { SessionEvent } from '../events/session-event.ts';

/**
 * GenAI attributes of an event (semantic conventions 0.1.0, https://github.com/open-telemetry/semantic-conventions-genai).
 * The conventions set `gen_ai.conversation.compacted` on model requests, only if it is true; a session has no such span, so
 * the compaction's span gets it.
 */
export function genAiAttributes(event: SessionEvent): Attributes {
  const attributes: Attributes = { 'gen_ai.conversation.id': event.sessionId };
  if (event.type === 'compaction-end' && event.outcome === 'compacted')
    attributes['gen_ai.conversation.compacted'] = true;
  const usage = event.type === 'summary-end' || event.type === 'summary-late' ? event.usage : undefined;
  if (!usage) return attributes;
  attributes['gen_ai.usage.input_tokens'] = usage.promptTokens;
  attributes['gen_ai.usage.output_tokens'] = usage.completionTokens;
  if (usage.cachedTokens !== undefined) attributes['gen_ai.usage.cache_read.input_tokens'] = usage.cachedTokens;
  if (usage.cacheWriteTokens !== undefined)
    attributes['gen_ai.usage.cache_write.input_tokens'] = usage.cacheWriteTokens;
  return attributes;
}
