import { type Cursor, lineEnd, matchAt } from './cursor.ts';

/** The end mark of a here-document. */
export interface DocumentEnd {
  readonly line: string;
  /** True after `<<-`: the last line may be indented. */
  readonly indented: boolean;
}

const operator: RegExp = /<<(-?)[ \t]{0,8}\\?(?:'([^'\n]{1,80})'|"([^"\n]{1,80})"|([\w.-]{1,80}))/y;

/** Reads `<<'END'` at the cursor. If nothing names the end, moves the cursor after `<<` and returns `null`. */
export function documentEnd(cursor: Cursor): DocumentEnd | null {
  const found = matchAt(cursor, operator);
  if (!found) cursor.at += 2;
  return found && { line: found[2] ?? found[3] ?? found[4]!, indented: found[1] === '-' };
}

/** Moves the cursor from the beginning of a here-document to its end, and returns its text. */
export function skipDocument(cursor: Cursor, end: DocumentEnd): string {
  const { script, at: start } = cursor;
  while (cursor.at < script.length) {
    const from = cursor.at;
    const to = lineEnd(cursor);
    cursor.at = Math.min(to + 1, script.length);
    const line = script.slice(from, to);
    if ((end.indented ? line.trim() : line.trimEnd()) === end.line)
      return script.slice(start, Math.max(start, from - 1));
  }
  return script.slice(start);
}
