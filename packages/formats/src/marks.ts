import type { Part } from '@palimpsest/core';
import { fieldsOf } from './record.ts';

/**
 * Fields that say how to send a part, not what it says. Callers move cache marks from turn to turn: on a core message
 * they would make an edit of every move, and another fingerprint of the same conversation.
 */
const markFields = ['cache_control', 'providerOptions', 'prompt_cache_breakpoint'] as const;

/** The native part behind a copy that went without its marks. */
const natives = new WeakMap<Part, Part>();

/** The part as core sees it: itself, or a copy without marks. */
export function unmarked(part: Part): Part {
  const bare = withoutMarks(part);
  if (bare !== part) natives.set(bare, part);
  return bare;
}

/** The part itself, or a copy without marks that is not linked to a native part. */
export function withoutMarks(part: Part): Part {
  const fields = fieldsOf(part);
  if (!markFields.some((name) => name in fields)) return part;
  const copy = { ...fields };
  for (const name of markFields) delete copy[name];
  return copy as unknown as Part;
}

/** Says which native part a core part stands for. */
export function standsFor(part: Part, native: Part): Part {
  natives.set(part, native);
  return part;
}

/** The native part a core part was made from; `undefined` when it is none of ours. */
export function nativeOf(part: Part): Part | undefined {
  return natives.get(part);
}
