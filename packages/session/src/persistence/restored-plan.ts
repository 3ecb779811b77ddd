<<<<<<< HEAD
import {
  contentText,
  type Edit,
  isBlank,
  isRemovedMedia,
  isSystem,
  isTextPart,
  jsonText,
  type Message,
  type Part,
  quoteContent,
  readHandoff,
  requestContent,
} from '@palimpsest/core';
=======
import { changedUserWords, contentText, type Edit, isSystem, type Message } from '@palimpsest/core';
>>>>>>> efd3a23 (Plugins: everything that crosses their border is checked and masked by the host's redactor)

/** Why a stored plan is not used. */
export class PlanRefused extends Error {}

/**
 * Checks a plan that came from a store against the conversation it is about. Whoever can write to a store must not be
 * able to change what the user said or what the system prompt says: the user's words in a plan are exactly those of the
 * messages it carries, and text of the user's messages is never rewritten.
 * @param signed true when the host's key vouches for the store: then notes on system messages and pictures the host made
 *   smaller are taken over, too
 * @returns the edits to apply
 * @throws {PlanRefused}
 */
export function checkRestoredPlan(edits: readonly Edit[], covered: readonly Message[], signed: boolean): Edit[] {
  return edits.filter((edit) => {
    const message = edit.kind === 'rewrite' ? covered[edit.at] : undefined;
    if (edit.kind === 'rewrite') {
      if (!message) throw new PlanRefused('It is about messages the conversation does not have.');
      if (isSystem(message)) {
        if (!signed) return false;
        if (!contentText(edit.set.content ?? message.content).startsWith(contentText(message.content)))
          throw new PlanRefused('It changes a system message.');
      }
    }
    const problem = changedUserWords(edit, covered, { mediaMayChange: signed });
    if (problem) throw new PlanRefused(problem);
    return true;
  });
}
<<<<<<< HEAD

/** A user message is kept part for part; only pictures and files may be taken out. */
function checkRewritten(before: readonly Part[], after: readonly Part[], signed: boolean): void {
  const fits = (part: Part, index: number): boolean => {
    const was = before[index]!;
    if (jsonText(part) === jsonText(was)) return true;
    if (isTextPart(was)) return false;
    return isTextPart(part) ? isRemovedMedia(part.text) : signed;
  };
  if (before.length !== after.length || !after.every(fits)) throw changed();
}

/** An inserted user message is a handoff, followed by the words of the messages it carries and nothing else. */
function checkInserted(message: Message, carries: readonly number[], covered: readonly Message[]): void {
  const handoff = readHandoff(message);
  if (!handoff) throw new PlanRefused('It inserts a user message that is no handoff.');
  const said = carries.flatMap((at) => {
    const carried = covered[at];
    if (carried?.role !== 'user') throw changed();
    const content = requestContent(carried);
    return isBlank(content) ? [] : asParts(isQuotedIn(handoff.rest, content) ? quoted(content) : content);
  });
  let next = 0;
  for (const part of asParts(handoff.rest)) {
    if (isTextPart(part)) next = wordsTaken(part.text, said, next);
    else if (next < said.length && jsonText(part) === jsonText(said[next])) next++;
    else throw changed();
  }
  while (next < said.length && isEmptyText(said[next]!)) next++;
  if (next < said.length) throw changed();
}

/**
 * Follows a text that was joined of the texts of carried messages: each whole, with blank lines between.
 * @returns index of the first part that is not in it
 */
function wordsTaken(text: string, said: readonly Part[], first: number): number {
  let next = first;
  let at = 0;
  while (at < text.length || text === '') {
    const part = said[next];
    if (!part || !isTextPart(part)) {
      if (text === '') return next;
      throw changed();
    }
    const words = part.text;
    if (!text.startsWith(words, at)) throw changed();
    next++;
    at += words.length;
    if (at === text.length) return next;
    if (words !== '') {
      if (!text.startsWith('\n\n', at)) throw changed();
      at += 2;
    }
  }
  return next;
}

/** As core marks what a harness wrote, where it stands before a request. */
function quoted(content: string | readonly Part[]): string | readonly Part[] {
  return quoteContent(content, 'harness-message');
}

/** True when the texts of a content stand among others as core marks what a harness wrote. */
function isQuotedIn(rest: string | readonly Part[], content: string | readonly Part[]): boolean {
  const own = asParts(quoted(content)).find((part) => part && isTextPart(part));
  const text = own && isTextPart(own) ? own.text : null;
  return text !== null && asParts(rest).some((part) => isTextPart(part) && part.text.includes(text));
}

function asParts(content: string | readonly Part[]): readonly Part[] {
  return typeof content === 'string' ? [{ type: 'text', text: content } as Part] : content;
}

function isEmptyText(part: Part): boolean {
  return isTextPart(part) && part.text === '';
}

function changed(): PlanRefused {
  return new PlanRefused('It changes what the user said.');
}
=======
>>>>>>> efd3a23 (Plugins: everything that crosses their border is checked and masked by the host's redactor)
