import { handoffProblem, readHandoff } from '../handoff/handoff.ts';
import { asParts, isTextPart, type Message } from '../messages/message.ts';
import type { CarriedMessage, Inserted } from './edit.ts';

const insertedFields: ReadonlySet<string> = new Set(['handoff', 'quote', 'instructions', 'carry', 'sources']);
const carriedFields: ReadonlySet<string> = new Set(['at', 'skip', 'content']);

/**
 * Explains what is wrong with an entry of a replace edit's `with`, such as "carries message 3, ..."; `null` when it is
 * valid.
 */
export function checkInserted(inserted: Inserted, messages: readonly Message[]): string | null {
  if (typeof inserted !== 'object' || inserted === null) return 'is not an object { handoff, carry }';
  if ('role' in inserted || 'content' in inserted)
    return 'is a message; a plan inserts { handoff, carry } and apply() makes the message';
  if (Object.keys(inserted).some((field) => !insertedFields.has(field)))
    return 'has a field besides "handoff", "quote", "instructions", "carry" and "sources"';
  if (typeof inserted.handoff !== 'string') return 'has no "handoff" text';
  const problem = handoffProblem(inserted.handoff);
  if (problem !== null) return `has a "handoff" that ${problem}`;
  if (!Array.isArray(inserted.carry)) return 'has no array "carry"';
  if (inserted.quote !== undefined && !Array.isArray(inserted.quote)) return 'has a "quote" that is not an array';
  const { instructions = [] } = inserted;
  if (!Array.isArray(instructions) || instructions.some((text) => typeof text !== 'string'))
    return 'has "instructions" that are not an array of strings';
  for (const [verb, list] of [
    ['carries', inserted.carry],
    ['quotes', inserted.quote ?? []],
  ] as const)
    for (const carried of list.flat()) {
      const found = checkCarried(carried, messages);
      if (found !== null) return `${verb} ${found}`;
    }
  return null;
}

function checkCarried(carried: number | CarriedMessage, messages: readonly Message[]): string | null {
  if (typeof carried !== 'number' && (typeof carried !== 'object' || carried === null))
    return `${String(carried)}, which is not a message index`;
  const at = typeof carried === 'number' ? carried : carried.at;
  const message = Number.isInteger(at) ? messages[at] : undefined;
  if (!message) return `message ${String(at)} of ${messages.length}`;
  if (message.role !== 'user') return `message ${at}, whose role is "${message.role}", not "user"`;
  if (typeof carried === 'number') return null;
  if (Object.keys(carried).some((field) => !carriedFields.has(field)))
    return `message ${at} with a field besides "at", "skip" and "content"`;
  const { skip, content = message.content } = carried;
  if (carried.content !== undefined && typeof content !== 'string' && !Array.isArray(content))
    return `message ${at} with a content that is neither text nor parts`;
  if (skip === undefined) return null;
  const first = asParts(content ?? '')[0];
  const length = first && isTextPart(first) ? first.text.length : 0;
  if (!Number.isInteger(skip) || skip < 0 || skip > length)
    return `message ${at} without ${String(skip)} of the ${length} characters that it begins with`;
  if (readHandoff({ ...message, content })) return `message ${at} with a "skip", but its handoff is left out anyway`;
  return null;
}
