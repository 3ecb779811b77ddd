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
  const drafts: Draft[] = [];
  for (const fragment of fragments) {
    // The API rejects a content without parts, so one that an edit emptied is removed.
    if (fragment.edited && fragment.parts.length === 0) continue;
    const hasResults = hasResponses(fragment.parts);
    const draft = drafts.at(-1);
    if (draft && belongs(draft, fragment, hasResults)) {
      draft.fragments.push(fragment);
      draft.hasResults ||= hasResults;
    } else drafts.push({ fragments: [fragment], hasResults });
  }
  return drafts.map(({ fragments: own }) => finish(own, natives));
}

/** A content under construction. */
interface Draft {
  readonly fragments: Fragment[];
  hasResults: boolean;
}

function belongs({ fragments, hasResults }: Draft, next: Fragment, nextHasResults: boolean): boolean {
  const last = fragments.at(-1)!;
  if (last.role !== next.role) return false;
  if (last.index !== null && last.index === next.index) return true;
  // Neighbours in the caller's conversation stay separate.
  const isNew = last.index === null || next.index === null || next.index !== last.index + 1;
  // Words next to the results of calls would not begin a turn: they would belong to the one of the calls.
  return isNew && hasResults === nextHasResults;
}

function finish<Native extends GeminiContent>(draft: readonly Fragment[], natives: readonly Native[]): Native {
  const [first] = draft;
  const parts = joinParts(draft);
  const isOne = draft.every(({ index }) => index === first!.index);
  const native = isOne && first!.index !== null ? natives[first!.index] : undefined;
  if (!native) return { role: first!.role, parts } as unknown as Native;
  const isWhole = draft.every(({ edited }) => !edited) && parts.length === partsOf(native).length;
  return isWhole ? native : { ...native, parts };
}

/** The words of two messages stay apart: the parts of an answer are read as one text. */
function joinParts(draft: readonly Fragment[]): readonly Part[] {
  const parts: Part[] = [];
  let before: number | null = null;
  for (const { role, index, parts: own } of draft) {
    const [last, next] = [parts.at(-1), own[0]];
    const isOther = index === null || index !== before;
    if (role === 'model' && isOther && last && next && isWords(last) && isWords(next)) parts.push(gap as Part);
    for (const part of own) parts.push(part);
    before = index;
  }
  return parts;
}
