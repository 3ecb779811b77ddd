import { isRecord } from '@palimpsest/core/authoring';
import {
  type Body,
  blockEvents,
  type ClearedBody,
  clearContent,
  iterationOf,
  wireNamed,
} from '@palimpsest/formats/wire';
import type { ModelCounter } from '@palimpsest/tokens/models';
import { promptTokens } from './compact-conversation.ts';
import type { AnswerEdit } from './edit-answer.ts';

/** Beta headers of what is served here. */
const betas = /^(?:context-management|compact)-20\d\d-\d\d-\d\d$/;

/** The betas in the headers of a request that ask for it. */
export function compactionBetas(headers: Headers): readonly string[] {
  return betasIn(headers).filter((beta) => betas.test(beta));
}

function betasIn(headers: Headers): string[] {
  return (headers.get('anthropic-beta') ?? '').split(/\s*,\s*/).filter((beta) => beta !== '');
}

/** Returns a request without the fields that only a server with context management accepts. */
export function withoutManagement(body: Body, given: Headers): { readonly body: Body; readonly headers: Headers } {
  const { context_management: _, compaction: __, ...rest } = body;
  const headers = new Headers(given);
  // The memory tool needs one of them as well.
  const hasMemory = JSON.stringify(body.tools ?? []).includes('"type":"memory_');
  const kept = betasIn(headers).filter((beta) => !betas.test(beta) || (hasMemory && !beta.startsWith('compact')));
  headers.delete('content-length');
  // A provider answers a known key with its reply to the earlier request.
  headers.delete('idempotency-key');
  if (kept.length === 0) headers.delete('anthropic-beta');
  else headers.set('anthropic-beta', kept.join(','));
  return { body: rest, headers };
}

/** Carries out the edits of a request that clear old content. */
export function clearEdits(body: Body, edits: readonly Body[], url: URL, tokens: ModelCounter): ClearedBody {
  const wire = wireNamed('anthropic');
  try {
    return clearContent(body, edits, (cleared) => promptTokens({ wire, url, body: cleared }, tokens));
  } catch {
    // A conversation that cannot be read is sent as it is.
    return { body, applied: [] };
  }
}

/** Reports the edits that were applied. */
export function reportOf(applied: readonly Body[]): AnswerEdit {
  const report = { context_management: { applied_edits: applied } };
  return {
    message: (message) => ({ ...message, ...report }),
    event: (event) => [event.type === 'message_delta' ? { ...event, ...report } : event],
  };
}

/** Reports the number of tokens before the edits, for a request that counts. */
export function countOf(applied: readonly Body[]): AnswerEdit {
  const cleared = applied.reduce((total, { cleared_input_tokens: tokens }) => total + Number(tokens), 0);
  return {
    message: (count) => ({
      ...count,
      context_management: { original_input_tokens: Number(count.input_tokens) + cleared },
    }),
    event: (event) => [event],
  };
}

/** Puts a compaction at the beginning of an answer. @param spent the usage of writing it */
export function withBlock(block: Body, spent: Body): AnswerEdit {
  const iterations = (usage: Body): Body[] => [iterationOf('compaction', spent), iterationOf('message', usage)];
  let begun: Body = {};
  return {
    message(message) {
      const usage = fieldsIn(message.usage);
      const content = Array.isArray(message.content) ? (message.content as unknown[]) : [];
      return { ...message, content: [block, ...content], usage: { ...usage, iterations: iterations(usage) } };
    },
    event(event) {
      if (event.type === 'message_start') {
        begun = fieldsIn(fieldsIn(event.message).usage);
        return [event, ...blockEvents(block)];
      }
      if (typeof event.index === 'number') return [{ ...event, index: event.index + 1 }];
      if (event.type !== 'message_delta') return [event];
      const usage = fieldsIn(event.usage);
      // A number that has not changed may be null.
      const known = Object.entries(usage).filter(([, value]) => value !== null);
      return [{ ...event, usage: { ...usage, iterations: iterations({ ...begun, ...Object.fromEntries(known) }) } }];
    },
  };
}

function fieldsIn(value: unknown): Body {
  return isRecord(value) ? value : {};
}
