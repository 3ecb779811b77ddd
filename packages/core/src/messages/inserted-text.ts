import { missingResult } from './repair.ts';

/** A stub of a tool result: `[tool] what ran, how it ended (1,234 chars, removed)`. */
const stub: RegExp =
  /^\[[^\]\n]{1,80}\] [^\n]*(?:\([\d,]{1,12} chars(?: \w{1,12})?(?:, removed)?\)|[,>] (?:no output|[\d,]{1,12} lines? output)|, removed\b|; the same output came again later$)/;
/** Maximum length of a stub, in characters. */
export const maxStubLength = 199;
/** The first line of an excerpt: a tool result of which only some lines were kept. */
const excerpt: RegExp = /^\[[^\n]{1,240}; excerpt, [\d,]{1,12} of [\d,]{1,12} lines:\n/;
/** Marks the gap in a result that was shortened before it was first sent. */
const cutHere: RegExp = /\n\[\.\.\. \d{1,12} characters cut here \.\.\.\]\n/;
/** Placeholder texts for content that was removed, missing or blank. */
const standIn: RegExp =
  /^(?:\(empty message\)|\[Tool output pruned - was \d{1,12} chars\]|\[[\w ]{1,32} removed(?:: too large for the provider)?\])$/;
const todoSnapshot: RegExp = /^<todo-snapshot source="session">\n[\s\S]*\n<\/todo-snapshot>$/;

/** The ref of the original, at the end of a stub or an excerpt. */
const refMention: RegExp = /[ \n]\[ref [0-9a-f]{8}(?:-\d{1,4})?\]$/;

/** True for a tool result text that this library wrote or rewrote: a stub, an excerpt, a missing result. */
export function isInsertedResult(given: string): boolean {
  const text = given.endsWith(']') ? given.replace(refMention, '') : given;
  return (
    text === missingResult ||
    standIn.test(text) ||
    (text.length <= maxStubLength && stub.test(text)) ||
    excerpt.test(text) ||
    cutHere.test(text)
  );
}

/** True for a message text that a session wrote: a todo snapshot, or the placeholder for a blank message. */
export function isInsertedMessage(text: string): boolean {
  return (
    standIn.test(text) ||
    (text.startsWith('<todo-snapshot') && todoSnapshot.test(text) && !text.slice(1).includes('<todo-snapshot '))
  );
}
