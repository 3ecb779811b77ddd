/** How a tool is called. */
export interface CommandShape {
  /** Names of the program. */
  readonly programs: readonly string[];
  /** Subcommands of one or two words that count as a run. @default calls without a subcommand */
  readonly subcommands?: readonly string[];
  /** Options, one of which is required, such as `--check`. It becomes part of the family's name. */
  readonly needs?: readonly string[];
  /** True if the first argument is a target of the project and part of the family's name: `make test`. */
  readonly target?: true;
  /** Options before the subcommand that take a value, such as `-C` of git. */
  readonly valued?: readonly string[];
  /** Options that prevent a run, in addition to `--help` and `--version`. */
  readonly idle?: readonly string[];
}

/** A pattern for a line that states how a run ended. Tried on trimmed lines without escape sequences. */
export interface VerdictLine {
  readonly says: 'passed' | 'failed';
  readonly shape: RegExp;
}

/** Describes as data one tool, or tools with the same output. Patterns must run in linear time. */
export interface ToolFamily {
  readonly commands: readonly CommandShape[];
  /**
   * Patterns for lines that state the outcome. If several with the same outcome match, the first in this list counts.
   */
  readonly verdicts: readonly VerdictLine[];
  /**
   * Patterns for lines that name a failure, in the group `name` or `package`; without these groups, the last heading is
   * the name. The group `number` is the failure's number. The pattern with the most names counts, or else the first.
   */
  readonly failing?: readonly RegExp[];
  /** Matches a line that consists of a file name and applies to the lines below it. */
  readonly heading?: RegExp;
  /** Matches the number of failures in a verdict line, in group 1. */
  readonly count?: RegExp;
  /** True if a successful run may print no verdict. */
  readonly silent?: true;
  /** True if it runs other tools and shows their output: package scripts, make, tox. */
  readonly runsOthers?: true | undefined;
}

/** Creates a pattern for a line that occurs only if the run passed. */
export const passed = (shape: RegExp): VerdictLine => ({ says: 'passed', shape });

/** Creates a pattern for a line that occurs only if the run failed. */
export const failed = (shape: RegExp): VerdictLine => ({ says: 'failed', shape });
