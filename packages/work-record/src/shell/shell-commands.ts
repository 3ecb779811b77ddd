/** How a command follows the one before it: `&&`, `||`, `|`, or `;` for everything else that ends a command. */
type ShellOperator = '&&' | '||' | '|' | ';';

/** One simple command of a shell script. */
export interface ShellCommand {
  /** Program and arguments without quotation marks. Substitutions such as `$(...)` stay as they are written. */
  readonly words: readonly string[];
  /** The operator before it; `;` for the first. */
  readonly follows: ShellOperator;
  /** The files that its output is redirected to. */
  readonly outputs: readonly string[];
  /** As it is written. */
  readonly text: string;
}

const wordEnd = /[\s;&|<>()]/;
/** A redirection: file descriptor, operator, and the descriptor it duplicates. */
const redirection = /(?:\d?|&)(?:>>|>\||>|<<<|<<-?|<)(?:&[\d-])?/y;
const delimiter = /-?\s{0,8}(['"]?)([\w.-]{1,80})\1/y;

/**
 * Splits a shell script into its simple commands, in order. Here-documents, comments and the text of quotations are no
 * commands. Takes linear time. Functions, loops and conditions are read as lists of the commands in them.
 */
export function shellCommands(script: string): ShellCommand[] {
  return new ShellReader(script).read();
}

class ShellReader {
  readonly #script: string;
  readonly #commands: ShellCommand[] = [];
  #at = 0;
  #start = 0;
  #words: string[] = [];
  #outputs: string[] = [];
  #follows: ShellOperator = ';';
  /** Delimiters of the here-documents that begin at the next line. */
  #documents: string[] = [];

  constructor(script: string) {
    this.#script = script;
  }

  read(): ShellCommand[] {
    const script = this.#script;
    while (this.#at < script.length) {
      const character = script[this.#at]!;
      if (character === '\n') {
        this.#end(';', 1);
        this.#skipDocuments();
      } else if (/\s/.test(character)) this.#at++;
      else if (character === '\\' && /[\r\n]/.test(script[this.#at + 1] ?? '')) this.#at += 2;
      else if (character === '#') this.#at = this.#indexOf('\n');
      else if (script.startsWith('&&', this.#at)) this.#end('&&', 2);
      else if (script.startsWith('||', this.#at)) this.#end('||', 2);
      else if (character === '|') this.#end('|', script[this.#at + 1] === '&' ? 2 : 1);
      else if (this.#redirection()) continue;
      else if (/[;&()]/.test(character)) this.#end(';', 1);
      else this.#words.push(this.#word());
    }
    this.#end(';', 0);
    return this.#commands;
  }

  /** Ends the command. A separator that follows another, such as a line break after `&&`, changes nothing. */
  #end(next: ShellOperator, length: number): void {
    if (this.#words.length > 0) {
      const text = this.#script.slice(this.#start, this.#at).trim();
      this.#commands.push({ words: this.#words, follows: this.#follows, outputs: this.#outputs, text });
      this.#words = [];
      this.#outputs = [];
      this.#follows = next;
    } else if (next !== ';') this.#follows = next;
    this.#at += length;
    this.#start = this.#at;
  }

  #redirection(): boolean {
    redirection.lastIndex = this.#at;
    const operator = redirection.exec(this.#script)?.[0];
    if (operator === undefined) return false;
    this.#at += operator.length;
    if (/&[\d-]$/.test(operator)) return true;
    if (/^\d?<<-?$/.test(operator)) {
      const name = this.#delimiter();
      if (name !== null) this.#documents.push(name);
      return true;
    }
    while (/[ \t]/.test(this.#script[this.#at] ?? '')) this.#at++;
    const target = this.#word();
    if (operator.includes('>') && !operator.startsWith('2')) this.#outputs.push(target);
    return true;
  }

  #delimiter(): string | null {
    delimiter.lastIndex = this.#at;
    const found = delimiter.exec(this.#script);
    if (!found) return null;
    this.#at += found[0].length;
    return found[2]!;
  }

  #skipDocuments(): void {
    for (const name of this.#documents) this.#skipDocument(name);
    this.#documents = [];
    this.#start = this.#at;
  }

  /** Skips the lines up to the one that is the delimiter, or to the end. */
  #skipDocument(name: string): void {
    while (this.#at < this.#script.length) {
      const end = this.#indexOf('\n');
      const isLast = end - this.#at <= name.length + 200 && this.#script.slice(this.#at, end).trim() === name;
      this.#at = Math.min(end + 1, this.#script.length);
      if (isLast) return;
    }
  }

  #word(): string {
    const from = this.#at;
    let word = '';
    while (this.#at < this.#script.length) {
      const character = this.#script[this.#at]!;
      if (character === "'") word += this.#quoted("'");
      else if (character === '"') word += this.#doubleQuoted();
      else if (character === '`') word += this.#quoted('`');
      else if (this.#script.startsWith('$(', this.#at)) word += this.#substitution();
      else if (character === '\\') {
        word += this.#script[this.#at + 1] ?? '';
        this.#at += 2;
      } else if (wordEnd.test(character)) break;
      else {
        word += character;
        this.#at++;
      }
    }
    if (this.#at === from) this.#at++;
    return word;
  }

  #quoted(mark: string): string {
    const from = this.#at + 1;
    this.#at = from;
    const end = this.#indexOf(mark);
    this.#at = Math.min(end + 1, this.#script.length);
    return this.#script.slice(from, end);
  }

  #doubleQuoted(): string {
    let text = '';
    this.#at++;
    while (this.#at < this.#script.length && this.#script[this.#at] !== '"') {
      if (this.#script.startsWith('$(', this.#at)) text += this.#substitution();
      else {
        if (this.#script[this.#at] === '\\' && /["\\$`\n]/.test(this.#script[this.#at + 1] ?? '')) this.#at++;
        text += this.#script[this.#at++] ?? '';
      }
    }
    this.#at++;
    return text;
  }

  /** Reads `$(...)` with the quotations, here-documents and parentheses in it. */
  #substitution(): string {
    const from = this.#at;
    let depth = 0;
    while (this.#at < this.#script.length) {
      const character = this.#script[this.#at]!;
      if (character === "'") this.#quoted("'");
      else if (character === '"' && depth > 0) this.#plainQuoted();
      else if (this.#script.startsWith('<<', this.#at) && this.#script[this.#at + 2] !== '<') {
        this.#at += 2;
        const name = this.#delimiter();
        if (name === null) continue;
        this.#at = Math.min(this.#indexOf('\n') + 1, this.#script.length);
        this.#skipDocument(name);
      } else {
        this.#at += character === '\\' ? 2 : 1;
        if (character === '(') depth++;
        else if (character === ')' && --depth === 0) break;
      }
    }
    return this.#script.slice(from, this.#at);
  }

  /** Skips a quotation in a substitution. Substitutions in it are skipped as text. */
  #plainQuoted(): void {
    this.#at++;
    while (this.#at < this.#script.length && this.#script[this.#at] !== '"')
      this.#at += this.#script[this.#at] === '\\' ? 2 : 1;
    this.#at++;
  }

  /** The index of the next occurrence of a text, or the end of the script. */
  #indexOf(text: string): number {
    const found = this.#script.indexOf(text, this.#at);
    return found < 0 ? this.#script.length : found;
  }
}
