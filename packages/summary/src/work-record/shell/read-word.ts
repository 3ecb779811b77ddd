import { type Cursor, lineEnd, matchAt } from './cursor.ts';
import { documentEnd, skipDocument } from './here-document.ts';
import type { ShellWord } from './shell-command.ts';

interface OpenWord {
  written: string;
  text: string;
  literal: boolean;
}

/** Matches characters without a special meaning for the shell. */
const plainRun: RegExp = /[^\s;|&()<>\\'"$`*?[{]+/y;
/** The same in double quotes. */
const quotedRun: RegExp = /[^\\"$`]+/y;
const variable: RegExp = /\$(?:\{([A-Za-z_]\w{0,63})\}|([A-Za-z_]\w{0,63}))/y;
/** Matches a redactor's placeholder for a secret or a name. */
const placeholder: RegExp = /<[A-Z][A-Z_]{3,40}>|\[[A-Z_]{0,20}REDACTED[^\]\n]{0,40}\]/y;

/** Reads the word at the cursor; an empty word if none begins there. */
export function readWord(cursor: Cursor): ShellWord {
  const { script } = cursor;
  const word: OpenWord = { written: '', text: '', literal: true };
  while (cursor.at < script.length) {
    const run = matchAt(cursor, plainRun) ?? matchAt(cursor, placeholder);
    const next = script.charAt(cursor.at);
    if (run !== null) add(word, run[0]);
    else if (next === '\\') {
      if (script[cursor.at + 1] !== '\n') add(word, script.charAt(cursor.at + 1));
      cursor.at += 2;
    } else if (next === "'") add(word, readSingleQuoted(cursor));
    else if (next === '"') readDoubleQuoted(cursor, word);
    else if (script.startsWith("$'", cursor.at)) {
      cursor.at++;
      add(word, readSingleQuoted(cursor));
    } else if (next === '$' || next === '`') readExpansion(cursor, word);
    else if ('*?[{'.includes(next)) {
      word.literal = false;
      add(word, next);
      cursor.at++;
    } else break;
  }
  return word;
}

/** Moves the cursor after the bracket that closes the one at the cursor. Skips quotes and here-documents in between. */
export function skipBrackets(cursor: Cursor): void {
  const { script } = cursor;
  const opening = script[cursor.at]!;
  const closing = opening === '(' ? ')' : '}';
  const hasCommands = opening === '(' && !script.startsWith('((', cursor.at);
  let depth = 0;
  while (cursor.at < script.length) {
    const next = script[cursor.at]!;
    if (hasCommands && next === "'") readSingleQuoted(cursor);
    else if (hasCommands && next === '"') skipDoubleQuoted(cursor);
    else if (hasCommands && script.startsWith('<<', cursor.at) && script[cursor.at + 2] !== '<') {
      const end = documentEnd(cursor);
      if (end === null) continue;
      cursor.at = Math.min(lineEnd(cursor) + 1, script.length);
      skipDocument(cursor, end);
    } else {
      cursor.at += next === '\\' ? 2 : 1;
      if (next === opening) depth++;
      else if (next === closing && --depth === 0) return;
    }
  }
}

function add(word: OpenWord, text: string): void {
  word.written += text;
  word.text += text;
}

function readSingleQuoted(cursor: Cursor): string {
  const end = cursor.script.indexOf("'", cursor.at + 1);
  const to = end < 0 ? cursor.script.length : end;
  const text = cursor.script.slice(cursor.at + 1, to);
  cursor.at = to + 1;
  return text;
}

function readDoubleQuoted(cursor: Cursor, word: OpenWord): void {
  const { script } = cursor;
  cursor.at++;
  while (cursor.at < script.length && script[cursor.at] !== '"') {
    const run = matchAt(cursor, quotedRun);
    if (run) add(word, run[0]);
    else if (script[cursor.at] === '\\') {
      const isEscape = /["\\$`\n]/.test(script.charAt(cursor.at + 1));
      add(word, isEscape ? script.charAt(cursor.at + 1) : '\\');
      cursor.at += isEscape ? 2 : 1;
    } else readExpansion(cursor, word);
  }
  cursor.at++;
}

/** Skips a quotation in a substitution. Substitutions in it are skipped as text. */
function skipDoubleQuoted(cursor: Cursor): void {
  const { script } = cursor;
  cursor.at++;
  while (cursor.at < script.length && script[cursor.at] !== '"') cursor.at += script[cursor.at] === '\\' ? 2 : 1;
  cursor.at++;
}

/** Reads `$name`, `${name}`, `$(...)`, a special variable, or a substitution in backquotes. */
function readExpansion(cursor: Cursor, word: OpenWord): void {
  const { script, at } = cursor;
  const named = matchAt(cursor, variable);
  if (named) word.text += `\u0001${named[1] ?? named[2]!}\u0002`;
  else if (/^\$(?:$|[\s"/.,:;|])/.test(script.slice(at, at + 2))) {
    word.text += '$';
    cursor.at++;
  } else {
    word.literal = false;
    if (script[at] === '`') {
      const end = script.indexOf('`', at + 1);
      cursor.at = end < 0 ? script.length : end + 1;
    } else if (script[at + 1] === '(' || script[at + 1] === '{') {
      cursor.at++;
      skipBrackets(cursor);
    } else cursor.at += 2;
  }
  word.written += script.slice(at, cursor.at);
}
