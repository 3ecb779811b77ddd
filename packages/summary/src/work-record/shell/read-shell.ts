import { type Cursor, lineEnd } from './cursor.ts';
import { type DocumentEnd, documentEnd, skipDocument } from './here-document.ts';
import { readWord, skipBrackets } from './read-word.ts';
import type { ShellCommand, ShellOperator, ShellWord } from './shell-command.ts';

/**
 * Reads shell commands: words, quotes, here-documents, redirections and operators. Covers what agents write, not all of
 * Bash. Never throws; linear time. Functions, loops and conditions are read as lists of their commands. Why this is
 * no library: see `contributing/decisions/small-parts-by-hand.md`.
 */
export function readShell(script: string): ShellCommand[] {
  return new ShellReader(script).read();
}

interface OpenCommand {
  words: ShellWord[];
  follows: ShellOperator;
  outputs: { target: ShellWord; append: boolean }[];
  input: string | null;
  depth: number;
  text: string;
  /** Start of its words and redirections in the script, or -1; `to` is the end. */
  from: number;
  to: number;
}

class ShellReader {
  readonly #cursor: Cursor;
  readonly #commands: OpenCommand[] = [];
  /** The here-documents that begin at the next line. */
  readonly #documents: { end: DocumentEnd; command: OpenCommand }[] = [];
  #depth = 0;
  #open: OpenCommand = newCommand(';');

  constructor(script: string) {
    this.#cursor = { script, at: 0 };
  }

  read(): ShellCommand[] {
    const cursor = this.#cursor;
    const { script } = cursor;
    while (cursor.at < script.length) {
      const next = script[cursor.at]!;
      if (next === '\n') this.#endLine();
      else if (/\s/.test(next)) cursor.at++;
      else if (next === '\\' && /[\r\n]/.test(script.charAt(cursor.at + 1))) cursor.at += 2;
      else if (next === '#') cursor.at = lineEnd(cursor);
      else if (script.startsWith('&>', cursor.at)) this.#redirect(1);
      else if (script.startsWith('&&', cursor.at)) this.#end('&&', 2);
      else if (script.startsWith('||', cursor.at)) this.#end('||', 2);
      else if (next === '|') this.#end('|', script[cursor.at + 1] === '&' ? 2 : 1);
      else if (next === ';' || next === '&') this.#end(';', 1);
      else if (next === '(' || next === ')') this.#bracket(next);
      else if ((next === '<' || next === '>') && !this.#isMasked()) this.#redirect(0);
      else this.#take();
    }
    this.#end(';', 0);
    return this.#commands;
  }

  /** Ends the command. A separator directly after another one, such as a line break after `&&`, is ignored. */
  #end(next: ShellOperator, length: number): void {
    if (this.#open.from >= 0) {
      this.#open.text = this.#cursor.script.slice(this.#open.from, this.#open.to);
      this.#commands.push(this.#open);
      this.#open = newCommand(next);
    } else if (next !== ';') this.#open.follows = next;
    this.#cursor.at += length;
  }

  #bracket(mark: string): void {
    const isArithmetic = this.#cursor.script.startsWith('((', this.#cursor.at);
    this.#end(';', isArithmetic ? 0 : 1);
    if (isArithmetic) skipBrackets(this.#cursor);
    else if (mark === '(') this.#depth++;
    else if (this.#depth > 0) this.#depth--;
  }

  #take(): void {
    const from = this.#cursor.at;
    this.#open.words.push(readWord(this.#cursor));
    // Skip a character that cannot begin a word.
    if (this.#cursor.at === from) this.#cursor.at++;
    this.#extend(from);
  }

  #extend(from: number): void {
    if (this.#open.from < 0) {
      this.#open.from = from;
      this.#open.depth = this.#depth;
    }
    this.#open.to = Math.min(this.#cursor.at, this.#cursor.script.length);
  }

  #endLine(): void {
    this.#end(';', 1);
    for (const { end, command } of this.#documents.splice(0)) command.input = skipDocument(this.#cursor, end);
  }

  /** True for a placeholder of a redactor, such as `<SECRET>`. */
  #isMasked(): boolean {
    return /^<[A-Z][A-Z_]{3,40}>/.test(this.#cursor.script.slice(this.#cursor.at, this.#cursor.at + 48));
  }

  /** @param skipped length of a `&` before the operator, which also redirects errors */
  #redirect(skipped: number): void {
    const cursor = this.#cursor;
    const { script } = cursor;
    const start = cursor.at;
    cursor.at += skipped;
    const sign = /^(?:<<<|<<|>>|>\||>&|<>|<&|<|>)/.exec(script.slice(cursor.at, cursor.at + 3))![0];
    const isErrors = this.#dropDescriptor(start);
    if (sign === '<<') {
      const end = documentEnd(cursor);
      if (end) this.#documents.push({ end, command: this.#open });
      this.#extend(start);
      return;
    }
    cursor.at += sign.length;
    if (sign.length === 1 && script[cursor.at] === '(') {
      skipBrackets(cursor);
      this.#open.words.push({ written: script.slice(start, cursor.at), text: '', literal: false });
      this.#extend(start);
      return;
    }
    while (script[cursor.at] === ' ' || script[cursor.at] === '\t') cursor.at++;
    const target = readWord(cursor);
    this.#extend(start);
    if (sign === '<<<') this.#open.input ??= target.text;
    const isDescriptor = sign === '>&' && /^[\d-]/.test(target.text);
    const isTest = this.#open.words[0]?.text === '[[';
    if (sign.startsWith('>') && !isDescriptor && !isTest && !isErrors)
      this.#open.outputs.push({ target, append: sign === '>>' });
  }

  /** Removes the file descriptor from a redirection such as `2>`. Returns true if it is not 1. */
  #dropDescriptor(start: number): boolean {
    const { words, to } = this.#open;
    const last = words.at(-1);
    if (!last || to !== start || !/^\d$/.test(last.text)) return false;
    words.pop();
    return last.text !== '1';
  }
}

function newCommand(follows: ShellOperator): OpenCommand {
  return { words: [], follows, outputs: [], input: null, depth: 0, text: '', from: -1, to: 0 };
}
