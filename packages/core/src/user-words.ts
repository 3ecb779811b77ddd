import type { Edit } from './edit.ts';
import { readHandoff } from './handoff.ts';
import { jsonText } from './json-text.ts';
import { asParts, isBlank, isTextPart, type Message, type Part, type TextPart } from './message.ts';
import { requestContent } from './request.ts';

/** What may stand in the place of a picture or file in a user message. */
const mediaStandIn: RegExp = /^\[(?:image|file) removed(?:: too large for the provider)?\]$/;

/**
 * Why an edit changes what the user said, or `null` when it does not. The user's words in an edit are exactly those of
 * the messages it carries, behind a handoff; text of a user message is never rewritten, and only its pictures and files
 * may be replaced by `[image removed]` or `[file removed]`.
 *
 * For edits whose writer is not trusted: a plugin, a store.
 * @param edit one that fits `messages`: indices in range, contents of the right kind
 * @param options.mediaMayChange a picture may also be replaced by another one. @default false
 */
export function changedUserWords(
  edit: Edit,
  messages: readonly Message[],
  { mediaMayChange = false }: { readonly mediaMayChange?: boolean } = {},
): string | null {
  if (edit.kind === 'replace') {
    for (const message of edit.with) {
      if (message.role !== 'user') continue;
      const handoff = readHandoff(message as Message);
      if (!handoff) return 'It inserts a user message that is no handoff.';
      if (!isCarried(handoff.rest, edit.carries ?? [], messages)) return 'It changes what the user said.';
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
    return isText(part) ? mediaStandIn.test(part.text) : mediaMayChange;
  };
  return before.length === after.length && after.every(fits) ? null : 'It changes what the user said.';
}

/** True when a content is the words of the carried messages, each whole and in their order, and nothing else. */
function isCarried(
  content: string | readonly Part[],
  carries: readonly number[],
  messages: readonly Message[],
): boolean {
  const said: Part[] = [];
  for (const at of carries) {
    const carried = messages[at];
    if (carried?.role !== 'user') return false;
    const own = requestContent(carried);
    if (!isBlank(own)) for (const part of asParts(own)) said.push(part);
  }
  let next = 0;
  for (const part of asParts(content)) {
    if (isText(part)) next = wordsTaken(part.text, said, next);
    else if (next < said.length && jsonText(part) === jsonText(said[next])) next++;
    else return false;
    if (next < 0) return false;
  }
  while (next < said.length && isEmptyText(said[next]!)) next++;
  return next >= said.length;
}

/**
 * Follows a text that was joined of the texts of carried messages: each whole, some of them inside a harness block, with
 * blank lines between.
 * @returns index of the first part that is not in it; -1 when the text holds anything else
 */
function wordsTaken(text: string, said: readonly Part[], first: number): number {
  let next = first;
  let at = 0;
  while (at < text.length || text === '') {
    const part = said[next];
    if (!part || !isText(part)) return text === '' ? next : -1;
    const words = [part.text, asBlock(part.text)].find((candidate) => text.startsWith(candidate, at));
    if (words === undefined) return -1;
    next++;
    at += words.length;
    if (at === text.length) return next;
    if (words !== '') {
      if (!text.startsWith('\n\n', at)) return -1;
      at += 2;
    }
  }
  return next;
}

/** As core marks what a harness wrote; a closing mark inside would end the block early. */
function asBlock(text: string): string {
  return `<system-reminder>\n${text.replaceAll('</system-reminder>', ' ')}\n</system-reminder>`;
}

/** Parts of real messages are sometimes `null`. */
function isText(part: Part | null | undefined): part is TextPart {
  return part !== null && part !== undefined && isTextPart(part);
}

function isEmptyText(part: Part): boolean {
  return isText(part) && part.text === '';
}
