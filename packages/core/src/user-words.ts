import { type ForeignHandoffReader, requestContent } from './any-handoff.ts';
import type { Edit } from './edit.ts';
import { readHandoff } from './handoff.ts';
import { jsonText } from './json-text.ts';
import { asParts, isBlank, isTextPart, type Message, type Part, type TextPart } from './message.ts';
import { quoteContent } from './quoted-text.ts';
import { isRemovedMedia } from './removed-media.ts';

/**
 * Explains how an edit changes a user's words; `null` when it does not. An inserted user message must be a handoff,
 * followed by exactly the words of the messages it carries. A rewrite must keep all text of a user message; only
 * pictures and files may be replaced, by `[image removed]` or `[file removed]`.
 *
 * Use it on edits from untrusted sources, such as a plugin or a store.
 * @param edit an edit that is valid for `messages`: indices in range, contents of the right kind
 */
export function changedUserWords(
  edit: Edit,
  messages: readonly Message[],
  {
    reader,
    mediaMayChange = false,
  }: {
    /** Knows other systems' handoffs, which a carried message may begin with: `host.reader`. */
    readonly reader: ForeignHandoffReader;
    /** Allows replacing a picture or file with another part that is not text. @default false */
    readonly mediaMayChange?: boolean;
  },
): string | null {
  if (edit.kind === 'replace') {
    for (const message of edit.with) {
      if (message.role !== 'user') continue;
      const handoff = readHandoff(message as Message);
      if (!handoff) return 'It inserts a user message that is no handoff.';
      if (!isCarried(handoff.rest, edit.carries ?? [], messages, reader)) return 'It changes what the user said.';
    }
    return null;
  }
  const message = messages[edit.at];
  if (message?.role !== 'user' || !('content' in edit.set)) return null;
  const [before, after] = [asParts(message.content ?? ''), asParts(edit.set.content ?? '')];
  const fits = (part: Part, index: number): boolean => {
    const was = before[index]!;
    if (jsonText(part) === jsonText(was)) return true;
    if (isText(was)) return false;
    return isText(part) ? isRemovedMedia(part.text) : mediaMayChange;
  };
  return before.length === after.length && after.every(fits) ? null : 'It changes what the user said.';
}

/**
 * True when a content consists of exactly the carried messages, complete and in order, either verbatim or quoted as
 * harness messages.
 */
function isCarried(
  rest: string | readonly Part[],
  carries: readonly number[],
  messages: readonly Message[],
  reader: ForeignHandoffReader,
): boolean {
  const parts = rest === '' ? [] : asParts(rest);
  let place: Place | null = { part: 0, at: 0 };
  for (const at of carries) {
    const carried = messages[at];
    if (carried?.role !== 'user') return false;
    const content = requestContent(carried, reader);
    if (isBlank(content)) continue;
    place =
      behind(parts, place, asParts(content)) ?? behind(parts, place, asParts(quoteContent(content, 'harness-message')));
    if (place === null) return false;
  }
  while (isText(parts[place.part]) && (parts[place.part] as TextPart).text === '')
    place = { part: place.part + 1, at: 0 };
  return place.part === parts.length && place.at === 0;
}

/** A position in a list of parts: at the start of a part, or inside a text. */
interface Place {
  readonly part: number;
  readonly at: number;
}

/** The position after `words` if they are found at `from`, else `null`. Texts may have been joined by blank lines. */
function behind(parts: readonly Part[], from: Place, words: readonly Part[]): Place | null {
  let { part, at } = from;
  for (const word of words) {
    const there = parts[part];
    if (!isText(word)) {
      if (at > 0 || part >= parts.length || jsonText(there) !== jsonText(word)) return null;
      part++;
    } else if (word.text === '') {
      if (at === 0 && isText(there) && there.text === '') part++;
    } else {
      if (!isText(there)) return null;
      const start: number = at === 0 ? 0 : there.text.startsWith('\n\n', at) ? at + 2 : -1;
      if (start < 0 || !there.text.startsWith(word.text, start)) return null;
      at = start + word.text.length;
      if (at === there.text.length) {
        part++;
        at = 0;
      }
    }
  }
  return { part, at };
}

/** Null-safe, because parts of real messages are sometimes `null`. */
function isText(part: Part | null | undefined): part is TextPart {
  return part !== null && part !== undefined && isTextPart(part);
}
