import { type ForeignHandoffReader, foreignHandoffLength } from '../handoff/any-handoff.ts';
import { jsonText } from '../json/json-text.ts';
import { isRemovedMedia } from '../messages/media-placeholder.ts';
import { asParts, type Content, isTextPart, type Message, type Part, type TextPart } from '../messages/message.ts';
import type { Edit } from './edit.ts';

/**
 * Explains how an edit changes a user's words; `null` when it does not. A rewrite must keep all text of a user message;
 * only pictures and files may be replaced, by `[image removed]` or `[file removed]`. The same applies to a carried
 * message, which may also omit another system's handoff.
 *
 * Use this on edits from untrusted sources, such as a plugin or a store.
 * @param edit an edit that is valid for `messages`: indices in range, contents of the right kind
 */
export function findChangedWords(
  edit: Edit,
  messages: readonly Message[],
  {
    reader,
    mediaMayChange = false,
  }: {
    /** Recognizes other systems' handoffs at the start of carried messages: `host.reader`. */
    readonly reader: ForeignHandoffReader;
    /** Allows replacing a picture or file with another part that is not text. @default false */
    readonly mediaMayChange?: boolean;
  },
): string | null {
  if (edit.kind === 'rewrite') {
    const message = messages[edit.at];
    if (message?.role !== 'user' || !('content' in edit.set)) return null;
    return keepsWords(message.content, edit.set.content, mediaMayChange) ? null : 'It changes what the user said.';
  }
  for (const { quote = [], carry } of edit.with)
    for (const carried of [...quote.flat(), ...carry.flat()]) {
      if (typeof carried === 'number') continue;
      const { at, skip = 0, content } = carried;
      if (skip !== 0 && skip !== foreignHandoffLength(messages[at]!, reader))
        return 'It leaves out what the user said.';
      if (content !== undefined && !keepsWords(messages[at]!.content, content, mediaMayChange))
        return 'It changes what the user said.';
    }
  return null;
}

/** True when a content has the same text, and only pictures and files in it were replaced. */
function keepsWords(own: Content, changed: Content, mediaMayChange: boolean): boolean {
  const [before, after] = [asParts(own ?? ''), asParts(changed ?? '')];
  const fits = (part: Part, index: number): boolean => {
    const was = before[index]!;
    if (jsonText(part) === jsonText(was)) return true;
    if (isText(was)) return false;
    return isText(part) ? isRemovedMedia(part.text) : mediaMayChange;
  };
  return before.length === after.length && after.every(fits);
}

/** Null-safe, because parts of real messages are sometimes `null`. */
function isText(part: Part | null | undefined): part is TextPart {
  return part !== null && part !== undefined && isTextPart(part);
}
