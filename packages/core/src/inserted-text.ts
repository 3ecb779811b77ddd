import { missingResult } from './repair.ts';

/** A result that became one line: `[tool] what ran, how it ended (1,234 chars, removed)`. At most 199 characters. */
const stub: RegExp =
  /^\[[^\]\n]{1,80}\] [^\n]*(?:\([\d,]{1,12} chars(?: \w{1,12})?(?:, removed)?\)|[,>] (?:no output|[\d,]{1,12} lines? output)|, removed\b|; the same output came again later$)/;
const longestStub = 199;
/** The first line of a result of which some lines were kept. */
const excerpt: RegExp = /^\[[^\n]{1,240}; excerpt, [\d,]{1,12} of [\d,]{1,12} lines:\n/;
/** Stands in the middle of a result that was shortened before it was first sent. */
const cutHere: RegExp = /\n\[\.\.\. \d{1,12} characters cut here \.\.\.\]\n/;
/** Whole texts that stand in for something removed, missing or blank. */
const standIn: RegExp =
  /^(?:\(empty message\)|\[Tool output pruned - was \d{1,12} chars\]|\[[\w ]{1,32} removed(?:: too large for the provider)?\])$/;
const todoSnapshot: RegExp = /^<todo-snapshot source="session">\n[\s\S]*\n<\/todo-snapshot>$/;

/** True for the text of a tool result that was written or rewritten here: a stub, an excerpt, a missing result. */
export function isInsertedResult(text: string): boolean {
  return (
    text === missingResult ||
    standIn.test(text) ||
    (text.length <= longestStub && stub.test(text)) ||
    excerpt.test(text) ||
    cutHere.test(text)
  );
}

/** True for the whole text of a message that a session wrote by itself: a todo snapshot, a filled blank. */
export function isInsertedMessage(text: string): boolean {
  return (
    standIn.test(text) ||
    (text.startsWith('<todo-snapshot') && todoSnapshot.test(text) && !text.slice(1).includes('<todo-snapshot '))
  );
}
