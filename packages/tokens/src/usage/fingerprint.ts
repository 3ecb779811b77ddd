import type { Message } from '@palimpsest/core';

/** The hash of a message, and the references it was computed from. The same references mean the same text. */
interface Remembered {
  readonly content: unknown;
  readonly calls: unknown;
  readonly hash: number;
}

/**
 * Creates a function that fingerprints the first `count` messages. The same text, calls and roles give the same number, also
 * in another process. Memoized per message object.
 */
export function createFingerprint(): (messages: readonly Message[], count: number) => number {
  const memory = new WeakMap<object, Remembered>();
  return (messages, count) => {
    let hash = 0;
    for (let at = 0; at < count; at++) {
      const message = messages[at]!;
      const object = message !== null && typeof message === 'object' ? message : undefined;
      let known = object && memory.get(object);
      if (!known || known.content !== message.content || known.calls !== message.tool_calls) {
        known = { content: object?.content, calls: object?.tool_calls, hash: hashText(serialize(message)) };
        if (object) memory.set(object, known);
      }
      hash = combine(hash, known.hash);
    }
    return hash;
  };
}

function serialize(message: Message): string {
  try {
    const { role, content, name, tool_calls: calls, tool_call_id: callId } = message;
    return JSON.stringify([role, content, name, calls, callId]) ?? '';
  } catch {
    // Cyclic or otherwise not JSON: role and text still detect most edits.
    return `${String(message?.role)}:${typeof message?.content === 'string' ? message.content : 'unreadable'}`;
  }
}

/** A 53-bit string hash (cyrb53, public domain): two 32-bit multiplicative lanes. */
function hashText(text: string): number {
  let low = 0xdeadbeef;
  let high = 0x41c6ce57;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    low = Math.imul(low ^ code, 2654435761);
    high = Math.imul(high ^ code, 1597334677);
  }
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  return 4294967296 * (2097151 & high) + (low >>> 0);
}

const combine = (hash: number, next: number): number =>
  (Math.imul((hash >>> 0) ^ (next >>> 0), 2654435761) >>> 0) +
  (((hash / 4294967296) ^ Math.floor(next / 4294967296)) & 0x1fffff) * 4294967296;
