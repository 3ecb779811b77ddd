import type { Part } from '@palimpsest/core';
import { fieldsOf } from './record.ts';

/**
 * Fields that control how a part is sent, and are not part of its content. Callers move cache marks from turn to turn. On a
 * core message, every move would be an edit and change the fingerprint.
 */
const markFields = ['cache_control', 'providerOptions', 'prompt_cache_breakpoint'] as const;

/** Maps copies without marks to their native parts. */
const natives = new WeakMap<Part, Part>();

/** Returns the part for a core message: itself, or a copy without marks that is linked to it. */
export function stripMarks(part: Part): Part {
  const bare = withoutMarks(part);
  if (bare !== part) natives.set(bare, part);
  return bare;
}

/** True for a part with marks. */
export function hasMarks(part: Part): boolean {
  return markFields.some((name) => name in part);
}

/** Returns the part itself, or a copy without marks that is not linked to it. */
export function withoutMarks(part: Part): Part {
  if (!hasMarks(part)) return part;
  const copy = { ...fieldsOf(part) };
  for (const name of markFields) delete copy[name];
  return copy as unknown as Part;
}

/** Links a core part to the native part it represents, and returns it. */
export function standsFor(part: Part, native: Part): Part {
  natives.set(part, native);
  return part;
}

/** Returns the native part that a core part was made from, if any. */
export function nativeOf(part: Part): Part | undefined {
  return natives.get(part);
}
