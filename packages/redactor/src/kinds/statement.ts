import type { Matcher } from '../scan/matcher.ts';
import { SearchState } from '../scan/search-state.ts';
import { matchAt } from '../scan/sticky.ts';
import { isExpression } from '../values/harmless-value.ts';
import { isMixed, isPlaceholder } from '../values/looks-random.ts';
import { nameWords, readNameBounds, readNameMeaning } from '../values/secret-name.ts';
import { isSecretValue } from './assignment.ts';

/** The value after a statement's keyword: quoted, or bare up to a space or a character that ends the statement. */
const valuePattern =
  /[ \t]{1,8}(?:by[ \t]{1,8})?(?:password[ \t]{1,8}|-string[ \t]{1,8})?(?:(\\{0,7}["'])([^"'\\\r\n]{1,256})\1|([^\s"'`\\;,()$-][^\s"'`\\;,()]{2,255}))/iy;

function reportValue(state: SearchState, kind: string, at: number): void {
  const found = matchAt(valuePattern, state.text, at);
  if (!found) return;
  const value = found[2] ?? found[3]!;
  const end = valuePattern.lastIndex - (found[1]?.length ?? 0);
  if (isPlaceholder(value) || (found[2] === undefined && (isExpression(value) || !isMixed(value)))) return;
  state.report({ kind, start: end - value.length, end });
}

const pipedPattern = /(["'])([^"'\\\r\n]{3,256})\\{0,15}\1[ \t]{0,8}\|[ \t]{0,8}ConvertTo$/i;

/** Matches PowerShell: `ConvertTo-SecureString "..." -AsPlainText`, `"..." | ConvertTo-SecureString`. */
function matchSecureString(state: SearchState, at: number, length: number): void {
  const piped = pipedPattern.exec(state.text.slice(Math.max(0, at - 300), at));
  if (!piped) reportValue(state, 'secure-string', at + length);
  else if (!isPlaceholder(piped[2]!)) {
    const end = at - piped[0].length + piped[1]!.length + piped[2]!.length;
    state.report({ kind: 'secure-string', start: end - piped[2]!.length, end });
  }
}

const pgpassBefore = /(?:^|[\s"'`])(?:[\w.-]{1,253}|\*)$/;
const pgpassAfter = /(?:[\w-]{1,63}|\*):(?:[\w.-]{1,63}|\*):([^\s"'`:\\]{3,256})(?=[\s"'`\\]|$)/y;

/** Matches a line of `.pgpass`: `host:port:database:user:password`. */
function matchPgpass(state: SearchState, at: number, length: number): void {
  const { text } = state;
  const password = pgpassBefore.test(text.slice(Math.max(0, at - 254), at))
    ? matchAt(pgpassAfter, text, at + length)?.[1]
    : undefined;
  if (password && !isPlaceholder(password))
    state.report({ kind: 'pgpass', start: pgpassAfter.lastIndex - password.length, end: pgpassAfter.lastIndex });
}

const hash = /[\da-f]{32}(?![\da-f])/iy;

/** Windows password hashes in dumps (`user:500:LM:NT:::`), found by the empty LM hash that all accounts share. */
function matchHashes(state: SearchState, at: number, length: number): void {
  if (matchAt(hash, state.text, at + length))
    state.report({ kind: 'password-hash', start: at, end: hash.lastIndex, weight: 2 });
}

const columnsPattern =
  /[ \t]{1,8}[\w."`[\]\\]{1,128}\s{0,8}\(([^()]{1,1024})\)(?:\s|\\{1,8}n){0,8}values(?:\s|\\{1,8}n){0,8}(?=\()/iy;
/** A value in a row, with the comma or parenthesis before it. */
const cellPattern = /(?:\s|\\{1,8}n){0,16}[(,]\s{0,16}(?:(\\{0,7}')([^'\\\r\n]{0,512})\1|[^'(),\r\n]{0,256})/y;
const rowEnd = /\s{0,16}\)\s{0,8},?/y;
/** Rows are read up to this many characters after the start of the statement. */
const maxInsertLength = 8192;

/** Matches `INSERT INTO users (name, password) VALUES ('ann', '...')`: each value is judged by its column's name. */
function matchInsert(state: SearchState, at: number, length: number): void {
  const { text } = state;
  const columns = at < state.insertsTo ? null : matchAt(columnsPattern, text, at + length)?.[1];
  if (!columns) return;
  const strengths = columns.split(',').map(strengthOf);
  let index = columnsPattern.lastIndex;
  for (let column = 0; index < at + maxInsertLength; ) {
    const cell = matchAt(cellPattern, text, index);
    if (cell) {
      index = cellPattern.lastIndex;
      const strength = strengths[column];
      const end = index - (cell[1]?.length ?? 0);
      if (strength && cell[2] !== undefined && isSecretValue(cell[2], strength, true, false))
        state.report({ kind: 'field', start: end - cell[2].length, end });
      column += 1;
    } else if (matchAt(rowEnd, text, index)?.[0]) {
      index = rowEnd.lastIndex;
      column = 0;
    } else break;
  }
  state.insertsTo = index;
}

/** Strength of a column name as evidence of a secret, or null. */
function strengthOf(column: string): 'password' | 'token' | 'key' | null {
  const state = new SearchState(column, false);
  for (const word of nameWords.keys()) {
    const at = column.toLowerCase().lastIndexOf(word);
    const name = at < 0 ? null : readNameBounds(state, at, word.length);
    const meaning = name && readNameMeaning(column, name, at, word);
    if (meaning && !meaning.doubtful) return meaning.strength;
  }
  return null;
}

/** Matchers for statements and file lines in which the position of a value shows that it is a secret. */
export const statementMatchers: readonly Matcher[] = [
  { keywords: ['identified by'], match: (state, at, length) => reportValue(state, 'sql', at + length) },
  { keywords: ['insert into'], match: matchInsert },
  { keywords: ['-SecureString'], match: matchSecureString },
  { keywords: [':5432:', ':*:'], isRare: true, match: matchPgpass },
  { keywords: ['aad3b435b51404eeaad3b435b51404ee:'], match: matchHashes },
];
