import type { Part } from '@palimpsest/core';
import type { GeminiContent } from './conversation.ts';
import { gap, hasResponses, isWords, partsOf } from './part.ts';

/** The parts that one step contributes to a content. */
export interface Fragment {
  readonly role: string;
  /** Index of the native content it comes from; `null` if it was inserted. */
  readonly index: number | null;
  readonly edited: boolean;
  readonly parts: readonly Part[];
}

/**
 * Assembles fragments into contents. Fragments of one native content are joined again; an unchanged content is the native
 * object itself. New neighbours of one role are joined, so that roles alternate.
 */
export function assembleContents<Native extends GeminiContent>(
  fragments: readonly Fragment[],
  natives: readonly Native[],
): readonly Native[] {
  const drafts: Fragment[][] = [];
  for (const fragment of fragments) {
    // The API rejects a content without parts, so one that an edit emptied is removed.
    if (fragment.edited && fragment.parts.length === 0) continue;
    const draft = drafts.at(-1);
    if (draft && belongs(draft, fragment)) draft.push(fragment);
    else drafts.push([fragment]);
  }
  return drafts.map((draft) => finish(draft, natives));
}

function belongs(draft: readonly Fragment[], next: Fragment): boolean {
  const last = draft.at(-1)!;
  if (last.role !== next.role) return false;
  if (last.index !== null && last.index === next.index) return true;
  // Neighbours in the caller's conversation stay separate.
  const isNew = last.index === null || next.index === null || next.index !== last.index + 1;
  // Words beside the results of calls would not begin a turn: they would belong to the one of the calls.
  return isNew && draft.some(({ parts }) => hasResponses(parts)) === hasResponses(next.parts);
}

function finish<Native extends GeminiContent>(draft: readonly Fragment[], natives: readonly Native[]): Native {
  const [first] = draft;
  const parts = draft.reduce(joined, []);
  const isOne = draft.every(({ index }) => index === first!.index);
  const native = isOne && first!.index !== null ? natives[first!.index] : undefined;
  if (!native) return { role: first!.role, parts } as unknown as Native;
  const isWhole = draft.every(({ edited }) => !edited) && parts.length === partsOf(native).length;
  return isWhole ? native : { ...native, parts };
}

/** The words of two messages stay apart: the parts of an answer are read as one text. */
function joined(before: readonly Part[], { role, parts }: Fragment): readonly Part[] {
  const [last, next] = [before.at(-1), parts[0]];
  const needsGap = role === 'model' && last && next && isWords(last) && isWords(next);
  return needsGap ? [...before, gap as Part, ...parts] : [...before, ...parts];
}
