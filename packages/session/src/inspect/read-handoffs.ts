import { type CompressResult, type Inserted, type Message, readHandoff } from '@palimpsest/core';
import type { HandoffLine } from './inspection.ts';

const heading: RegExp = /^#{1,6} (.*)$/;

const fence: RegExp = /^`{3,}$/;

/** A handoff that a plan inserts. */
export interface PlacedHandoff {
  readonly inserted: Inserted;
  /** Position of its edit in the plan. */
  readonly edit: number;
  /** Index of its message in the output of the plan. */
  readonly at: number;
  /** Half-open range of the messages that it replaces; system messages in it may have stayed. */
  readonly covers: { readonly from: number; readonly to: number };
  /** The lines of its body. */
  readonly lines: readonly HandoffLine[];
}

/**
 * Reads the handoffs of an applied plan: the lines of each, and the messages that each line comes from.
 * @param originOf translates an index in the plan's sources to one of the caller's history; -1 for no message of it.
 *   @default the same index
 */
export function readHandoffs(
  { edits, provenance }: Pick<CompressResult<Message>, 'edits' | 'provenance'>,
  originOf: (at: number) => number = (at) => at,
): PlacedHandoff[] {
  const taken = new Map<number, number>();
  return provenance.output.flatMap((origin, at): PlacedHandoff[] => {
    if (origin.kind !== 'inserted') return [];
    const edit = edits[origin.edit]!;
    const place = taken.get(origin.edit) ?? 0;
    taken.set(origin.edit, place + 1);
    if (edit.kind !== 'replace') return [];
    const inserted = edit.with[place]!;
    return [{ inserted, edit: origin.edit, at, covers: origin.covers, lines: handoffLines(inserted, originOf) }];
  });
}

/**
 * The lines of the body of a handoff, with their sources.
 * @param originOf index of the caller's message for an index in the sources; -1 for a message of the session
 */
function handoffLines({ handoff, sources = [] }: Inserted, originOf: (at: number) => number): HandoffLine[] {
  const message: Message = { role: 'user', content: handoff };
  const body = readHandoff(message)?.body ?? '';
  // One line follows the body: the end mark.
  const first = handoff.split('\n').length - body.split('\n').length - 1;
  const known = new Map(sources.map(({ line, from }) => [line, from.map(originOf).filter((at) => at >= 0)]));
  let section: string | null = null;
  let closing: string | null = null;
  return body.split('\n').map((text, at): HandoffLine => {
    const title = closing === null ? heading.exec(text)?.[1] : undefined;
    if (title !== undefined) section = title;
    if (closing === null && fence.test(text)) closing = text;
    else if (closing === text) closing = null;
    const from = known.get(first + at) ?? [];
    return { line: first + at, section, text, from: from.length > 0 ? from : null };
  });
}
