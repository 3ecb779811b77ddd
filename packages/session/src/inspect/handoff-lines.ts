import { type Inserted, type Message, readHandoff } from '@palimpsest/core';
import type { HandoffLine } from './inspection.ts';

const heading: RegExp = /^#{1,6} (.*)$/;
const fence: RegExp = /^`{3,}$/;

/**
 * The lines of the body of a handoff, with their sources.
 * @param originOf index of the caller's message for an index in the sources; -1 for a message of the session
 */
export function handoffLines({ handoff, sources = [] }: Inserted, originOf: (at: number) => number): HandoffLine[] {
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
