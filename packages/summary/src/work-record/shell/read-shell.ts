/** How a command follows the one before it: `&&`, `||`, `|`, or `;` for everything else that ends a command. */
export type ShellOperator = '&&' | '||' | '|' | ';';

/** One word of a command, without its quotes. */
export interface ShellWord {
  /** The word as written, with variables and substitutions: `$HOME/a`, `$(date)`. */
  readonly written: string;
  /** The text; each variable in it is `\u0001name\u0002`. */
  readonly text: string;
  /** False if only the shell knows the text: substitutions, patterns, and special variables. */
  readonly literal: boolean;
}

/** One simple command. */
export interface ShellCommand {
  readonly words: readonly ShellWord[];
  /** The operator before it; `;` for the first. */
  readonly follows: ShellOperator;
  /** Files that its output is written to. */
  readonly outputs: readonly { readonly target: ShellWord; readonly append: boolean }[];
  /** Text of its here-document; `null` if it has none. */
  readonly input: string | null;
  /** Number of nested subshells it runs in. */
  readonly depth: number;
  /** The command as written, without the here-document. */
  readonly text: string;
}

/**
 * Reads shell commands: words, quotes, here-documents, redirections and operators. Covers what agents write, not all of
 * Bash. Never throws; linear time. Functions, loops and conditions are read as lists of their commands. Why this is
 * no library: see `contributing/decisions/small-parts-by-hand.md`.
 */
export function readShell(script: string): ShellCommand[] {
  return new ShellReader(script).commands(0);
}

// All expressions match at the position of the reader.
const blank: RegExp = /(?:[^\S\n]|\\\r?\n)+|#[^\n]*/y;
const separator: RegExp = /\n|&&|\|\|?&?|;+|&(?!>)/y;
/** `((i++))`: a comparison in it is not a redirection. */
const arithmetic: RegExp = /\(\([^\n()]{0,200}\)\)/y;
const bracket: RegExp = /[()]/y;
const redirection: RegExp = /(\d?|&)(<<<|<<-?|>>|>\||>&|<>|<&|>(?!\()|<(?!\(|[A-Z][A-Z_]{3,40}>))/y;
const documentEnd: RegExp = /[ \t]{0,8}\\?(?:'([^'\n]{1,80})'|"([^"\n]{1,80})"|([\w.-]{1,80}))/y;
/** Characters without a special meaning, or a redactor's placeholder for a secret or a name. */
const plain: RegExp = /[^\s;|&()<>\\'"$`*?[{]+|<[A-Z][A-Z_]{3,40}>|\[[A-Z_]{0,20}REDACTED[^\]\n]{0,40}\]/y;
const singleQuoted: RegExp = /\$?'([^']*)'?/y;
const escaped: RegExp = /\\([\s\S]?)/y;
const pattern: RegExp = /[*?[{]/y;
/** The same in double quotes. */
const quotedPlain: RegExp = /[^\\"$`]+|\\(?!["\\$`\n])/y;
const named: RegExp = /\$(?:\{([A-Za-z_]\w{0,63})\}|([A-Za-z_]\w{0,63}))/y;
const bareDollar: RegExp = /\$(?=$|[\s"/.,:;|])/y;
const substitution: RegExp = /[$<>]\(/y;
const otherExpansion: RegExp = /\$\{[^}]*\}?|`[^`]*`?|\$[\s\S]?/y;

/** Maximum nesting of substitutions to follow. */
const maxDepth = 20;

interface OpenCommand extends ShellCommand {
  words: ShellWord[];
  follows: ShellOperator;
  outputs: { target: ShellWord; append: boolean }[];
  input: string | null;
  depth: number;
  text: string;
}

type OpenWord = { -readonly [Field in keyof ShellWord]: ShellWord[Field] };

class ShellReader {
  readonly #script: string;
  #at = 0;
  /** The here-documents that begin at the next line. */
  readonly #documents: { readonly end: string; readonly indented: boolean; readonly command: OpenCommand }[] = [];

  constructor(script: string) {
    this.#script = script;
  }

  /** Reads up to the end of the script, or up to the bracket that closes a substitution. */
  commands(level: number): ShellCommand[] {
    const found: OpenCommand[] = [];
    let open = newCommand(';');
    let depth = 0;
    let from = -1;
    let to = 0;
    // A separator directly after another one, such as a line break after `&&`, is ignored.
    const end = (next: ShellOperator): void => {
      if (from >= 0) {
        found.push(Object.assign(open, { text: this.#script.slice(from, to) }));
        open = newCommand(next);
        from = -1;
      } else if (next !== ';') open.follows = next;
    };
    while (this.#at < this.#script.length) {
      if (this.#match(blank)) continue;
      const mark = this.#match(separator)?.[0];
      if (mark !== undefined) {
        end(mark === '&&' || mark === '||' ? mark : mark.startsWith('|') ? '|' : ';');
        if (mark === '\n') this.#readDocuments();
        continue;
      }
      const side = this.#match(arithmetic) ? '' : this.#match(bracket)?.[0];
      if (side !== undefined) {
        end(';');
        if (side === '(') depth++;
        else if (side === ')' && depth > 0) depth--;
        else if (side === ')' && level > 0) return found;
        continue;
      }
      if (from < 0) {
        from = this.#at;
        open.depth = depth;
      }
      this.#take(open, level);
      to = this.#at;
    }
    end(';');
    return found;
  }

  #match(expression: RegExp): RegExpExecArray | null {
    expression.lastIndex = this.#at;
    const found = expression.exec(this.#script);
    if (found) this.#at += found[0].length;
    return found;
  }

  /** Reads a redirection or a word. */
  #take(open: OpenCommand, level: number): void {
    const start = this.#at;
    const mayRedirect = /[\d&<>]/.test(this.#script[start]!);
    const [, descriptor = '', sign = ''] = (mayRedirect && this.#match(redirection)) || [];
    if (sign === '<<' || sign === '<<-') {
      const end = this.#match(documentEnd)?.slice(1).find(Boolean);
      if (end !== undefined) this.#documents.push({ end, indented: sign === '<<-', command: open });
    } else if (sign !== '') {
      this.#match(blank);
      const target = this.#word(level);
      if (sign === '<<<') open.input ??= target.text;
      const isDescriptor = sign === '>&' && /^[\d-]/.test(target.text);
      const isTest = open.words[0]?.text === '[[';
      if (sign.startsWith('>') && /^[1&]?$/.test(descriptor) && !isDescriptor && !isTest)
        open.outputs.push({ target, append: sign === '>>' });
    } else {
      const word = this.#word(level);
      // Skip a character that cannot begin a word.
      if (this.#at === start) this.#at++;
      else open.words.push(word);
    }
  }

  /** Reads the here-documents of the line that ended. */
  #readDocuments(): void {
    for (const { end, indented, command } of this.#documents.splice(0)) {
      const start = this.#at;
      command.input = this.#script.slice(start);
      while (this.#at < this.#script.length) {
        const from = this.#at;
        const next = this.#script.indexOf('\n', from);
        this.#at = next < 0 ? this.#script.length : next + 1;
        const line = this.#script.slice(from, next < 0 ? undefined : next);
        if ((indented ? line.trim() : line.trimEnd()) !== end) continue;
        command.input = this.#script.slice(start, Math.max(start, from - 1));
        break;
      }
    }
  }

  /** Reads the word at the position; an empty word if none begins there. */
  #word(level: number): ShellWord {
    const word: OpenWord = { written: '', text: '', literal: true };
    for (;;) {
      if (this.#script[this.#at] === '"') {
        this.#quotation(word, level);
        continue;
      }
      const text = this.#match(plain)?.[0] ?? this.#match(singleQuoted)?.[1] ?? this.#match(escaped)?.[1];
      if (text !== undefined) add(word, text === '\n' ? '' : text);
      else if (!this.#expansion(word, level)) {
        const mark = this.#match(pattern)?.[0];
        if (mark === undefined) return word;
        word.literal = false;
        add(word, mark);
      }
    }
  }

  #quotation(word: OpenWord, level: number): void {
    this.#at++;
    while (this.#at < this.#script.length && this.#script[this.#at] !== '"') {
      const text = this.#match(quotedPlain)?.[0] ?? this.#match(escaped)?.[1];
      if (text !== undefined) add(word, text === '\n' ? '' : text);
      else this.#expansion(word, level);
    }
    this.#at++;
  }

  /** Reads `$name`, `${name}`, `$(...)`, a special variable, or a substitution in backquotes. Returns false for other text. */
  #expansion(word: OpenWord, level: number): boolean {
    const start = this.#at;
    const variable = this.#match(named);
    if (variable) word.text += `\u0001${variable[1] ?? variable[2]!}\u0002`;
    else if (this.#match(bareDollar)) word.text += '$';
    else {
      if (!this.#match(arithmetic)) {
        if (level < maxDepth && this.#match(substitution)) this.commands(level + 1);
        else if (!this.#match(otherExpansion)) return false;
      }
      word.literal = false;
    }
    word.written += this.#script.slice(start, this.#at);
    return true;
  }
}

function add(word: OpenWord, text: string): void {
  word.written += text;
  word.text += text;
}

function newCommand(follows: ShellOperator): OpenCommand {
  return { words: [], follows, outputs: [], input: null, depth: 0, text: '' };
}
