/**
 * Reads shell commands: words, quotes, here-documents, redirections and what joins commands. Our own, because no small
 * parser reads here-documents: `shell-quote` (2.7 kB) takes their lines for words, and `unbash` (27 kB) is larger than
 * this package. It reads what agents write, not all of Bash, never throws, and looks at each character once.
 */

/** One word of a command, without its quotes. */
export interface ShellWord {
  /** The text; each variable in it is `\u0001name\u0002`. */
  readonly text: string;
  /** False if only the shell knows the text: substitutions, patterns, and special variables. */
  readonly literal: boolean;
}

/** One simple command. */
export interface ShellCommand {
  readonly words: readonly ShellWord[];
  /** Files that its output goes to. */
  readonly outputs: readonly { readonly target: ShellWord; readonly append: boolean }[];
  /** Text of its here-document; `null` if it has none. */
  readonly input: string | null;
  /** How many subshells it runs in. */
  readonly depth: number;
  /** The range of the command in the script, without the here-document. */
  readonly from: number;
  readonly to: number;
}

interface OpenCommand {
  words: ShellWord[];
  outputs: { target: ShellWord; append: boolean }[];
  input: string | null;
  depth: number;
  from: number;
  to: number;
}

const variable: RegExp = /\{([A-Za-z_]\w{0,63})\}|([A-Za-z_]\w{0,63})/y;

/** What redactors put in place of a secret or a name. */
const placeholder: RegExp = /<[A-Z][A-Z_]{3,40}>|\[[A-Z_]{0,20}REDACTED[^\]\n]{0,40}\]/y;

/** Reads the simple commands of a script, in order. Takes time linear in the script. */
export function readShell(script: string): ShellCommand[] {
  return new ShellReader(script).read();
}

class ShellReader {
  readonly #text: string;
  readonly #commands: OpenCommand[] = [];
  readonly #documents: { end: string; indented: boolean; command: OpenCommand }[] = [];
  #at = 0;
  #depth = 0;
  #open: OpenCommand;

  constructor(text: string) {
    this.#text = text;
    this.#open = this.#newCommand();
  }

  read(): ShellCommand[] {
    const text = this.#text;
    while (this.#at < text.length) {
      const next = text[this.#at]!;
      if (next === '\n') this.#lineEnd();
      else if (next === ' ' || next === '\t' || next === '\r') this.#at++;
      else if (next === '\\' && text[this.#at + 1] === '\n') this.#at += 2;
      else if (next === '#') this.#skipLine();
      else if (next === ';' || next === '|' || next === '(' || next === ')') this.#separator(next);
      else if (next === '&') this.#ampersand();
      else if (next === '<' || next === '>') this.#redirect(next);
      else this.#take(this.#word());
    }
    this.#close();
    return this.#commands;
  }

  #newCommand(): OpenCommand {
    return { words: [], outputs: [], input: null, depth: this.#depth, from: this.#at, to: this.#at };
  }

  #close(): void {
    if (this.#open.words.length > 0 || this.#open.outputs.length > 0) this.#commands.push(this.#open);
    this.#open = this.#newCommand();
  }

  #take(word: ShellWord): void {
    if (this.#open.words.length === 0 && this.#open.outputs.length === 0) {
      this.#open.from = this.#at - word.text.length;
      this.#open.depth = this.#depth;
    }
    this.#open.words.push(word);
    this.#open.to = this.#at;
  }

  #separator(mark: string): void {
    this.#close();
    if (this.#text.startsWith('((', this.#at)) {
      this.#skipBalanced(')');
      return;
    }
    this.#at++;
    if (mark === '(') this.#depth++;
    else if (mark === ')' && this.#depth > 0) this.#depth--;
    this.#open = this.#newCommand();
  }

  #ampersand(): void {
    // `&>` sends output and errors to a file; `&` and `&&` end a command.
    if (this.#text[this.#at + 1] === '>') {
      this.#at++;
      this.#redirect('>');
    } else this.#separator('&');
  }

  #skipLine(): void {
    const end = this.#text.indexOf('\n', this.#at);
    this.#at = end < 0 ? this.#text.length : end;
  }

  #lineEnd(): void {
    this.#close();
    this.#at++;
    for (const { end, indented, command } of this.#documents.splice(0)) command.input = this.#document(end, indented);
    this.#open = this.#newCommand();
  }

  /** Reads the lines up to the one that ends the here-document. */
  #document(end: string, indented: boolean): string {
    const start = this.#at;
    while (this.#at < this.#text.length) {
      const from = this.#at;
      this.#skipLine();
      const line = this.#text.slice(from, this.#at);
      this.#at++;
      if ((indented ? line.trim() : line.trimEnd()) === end) return this.#text.slice(start, Math.max(start, from - 1));
    }
    this.#at = Math.min(this.#at, this.#text.length);
    return this.#text.slice(start);
  }

  #redirect(mark: string): void {
    const text = this.#text;
    const start = this.#at;
    const sign = /^(?:<<<|<<-|>>|>\||>&|<<|<>|<&)/.exec(text.slice(start, start + 3))?.[0] ?? mark;
    this.#at += sign.length;
    if (sign.length === 1 && text[this.#at] === '(') {
      this.#skipBalanced(')');
      this.#take({ text: '', literal: false });
      return;
    }
    const isErrors = this.#dropDescriptor(start);
    while (text[this.#at] === ' ' || text[this.#at] === '\t') this.#at++;
    const target = this.#word();
    this.#open.to = this.#at;
    if (sign === '<<<') this.#open.input ??= target.text;
    else if (sign.startsWith('<<'))
      this.#documents.push({ end: target.text, indented: sign === '<<-', command: this.#open });
    else if (
      mark === '>' &&
      this.#open.words[0]?.text !== '[[' &&
      !(sign === '>&' && /^[\d-]/.test(target.text)) &&
      !isErrors
    )
      this.#open.outputs.push({ target, append: sign === '>>' });
  }

  /** Removes the number from `2>`. Returns true for another number than 1. */
  #dropDescriptor(start: number): boolean {
    const { words, to } = this.#open;
    const last = words.at(-1);
    if (!last || to !== start || !/^\d$/.test(last.text)) return false;
    words.pop();
    return last.text !== '1';
  }

  #word(): ShellWord {
    const text = this.#text;
    let value = '';
    let literal = true;
    while (this.#at < text.length) {
      const next = text[this.#at]!;
      if (next === '<' || next === '[') {
        placeholder.lastIndex = this.#at;
        const masked = placeholder.exec(text)?.[0];
        if (masked !== undefined) {
          value += masked;
          this.#at += masked.length;
          continue;
        }
      }
      if (' \t\r\n;|&()<>'.includes(next)) break;
      if (next === '\\') {
        if (text[this.#at + 1] !== '\n') value += text[this.#at + 1] ?? '';
        this.#at += 2;
      } else if (next === "'") value += this.#singleQuoted();
      else if (next === '"') {
        this.#at++;
        for (let part = text[this.#at]; part !== undefined && part !== '"'; part = text[this.#at]) {
          if (part === '\\' && /["\\$`\n]/.test(text[this.#at + 1] ?? '')) {
            value += text[this.#at + 1]!;
            this.#at += 2;
          } else if (part === '$' || part === '`') {
            const found = this.#expansion();
            if (found === null) literal = false;
            else value += found;
          } else {
            value += part;
            this.#at++;
          }
        }
        this.#at++;
      } else if (next === '$' && text[this.#at + 1] === "'") {
        this.#at++;
        value += this.#singleQuoted();
      } else if (next === '$' || next === '`') {
        const found = this.#expansion();
        if (found === null) literal = false;
        else value += found;
      } else {
        if ('*?[{'.includes(next)) literal = false;
        value += next;
        this.#at++;
      }
    }
    return { text: value, literal };
  }

  #singleQuoted(): string {
    const end = this.#text.indexOf("'", this.#at + 1);
    const to = end < 0 ? this.#text.length : end;
    const value = this.#text.slice(this.#at + 1, to);
    this.#at = to + 1;
    return value;
  }

  /** Reads `$name`, `${name}`, `$(...)` or a backquote. Returns `null` if only the shell knows the text. */
  #expansion(): string | null {
    const text = this.#text;
    if (text[this.#at] === '`') {
      const end = text.indexOf('`', this.#at + 1);
      this.#at = end < 0 ? text.length : end + 1;
      return null;
    }
    variable.lastIndex = this.#at + 1;
    const name = variable.exec(text);
    if (name) {
      this.#at = variable.lastIndex;
      return `\u0001${name[1] ?? name[2]!}\u0002`;
    }
    const opening = text[this.#at + 1];
    if (opening === '(' || opening === '{') {
      this.#at++;
      this.#skipBalanced(opening === '(' ? ')' : '}');
      return null;
    }
    this.#at++;
    if (opening === undefined || /[\s"/.,:;|]/.test(opening)) return '$';
    this.#at++;
    return null;
  }

  /** Moves behind the bracket that closes the one at the current position. */
  #skipBalanced(closing: string): void {
    const text = this.#text;
    const opening = text[this.#at]!;
    let depth = 0;
    for (; this.#at < text.length; this.#at++) {
      const next = text[this.#at]!;
      if (next === '\\') this.#at++;
      else if (next === "'" && opening === '(') {
        const end = text.indexOf("'", this.#at + 1);
        this.#at = end < 0 ? text.length : end;
      } else if (next === opening) depth++;
      else if (next === closing && --depth === 0) {
        this.#at++;
        return;
      }
    }
  }
}
