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
