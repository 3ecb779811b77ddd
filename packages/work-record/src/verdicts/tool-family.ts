/** How a tool is called. */
export interface CommandShape {
  /** Names of the program. */
  readonly programs: readonly string[];
  /** The subcommands that count, of one or two words. @default the call without a subcommand counts */
  readonly subcommands?: readonly string[];
  /** Options of which one is given, such as `--check`. It becomes part of the family's name. */
  readonly needs?: readonly string[];
  /** The first argument is a target of the project, and part of the family's name: `make test`. */
  readonly target?: true;
  /** Options before the subcommand that take a value: `-C` of git. */
  readonly valued?: readonly string[];
  /** Options with which nothing is run, besides `--help` and `--version`. */
  readonly idle?: readonly string[];
}

/** A line that states how a run ended. Tried on the trimmed line, without escape sequences. */
export interface VerdictLine {
  readonly says: 'passed' | 'failed';
  readonly shape: RegExp;
}

/** What is known about one tool, or about tools that print the same, as data. Patterns take linear time. */
export interface ToolFamily {
  readonly commands: readonly CommandShape[];
  /** Lines that state the outcome. If several of the right outcome are found, the first in this list counts. */
  readonly verdicts: readonly VerdictLine[];
  /** Lines that name what failed. The group `name` is the name, or `package`; without one it is the newest heading. `number` numbers a failure. The pattern that finds the most names counts, or else the first. */
  readonly failing?: readonly RegExp[];
  /** A line that names a file, for the lines below it. The whole line is the name. */
  readonly heading?: RegExp;
  /** The number of failures in a verdict line, in the group 1. */
  readonly count?: RegExp;
  /** True if a run that succeeds may print nothing that says so. */
  readonly silent?: true;
  /** True if it runs other tools, whose lines it shows: package scripts, make, tox. */
  readonly runsOthers?: true | undefined;
}

/** A line that is only there when the run passed. */
export const passed = (shape: RegExp): VerdictLine => ({ says: 'passed', shape });

/** A line that is only there when the run failed. */
export const failed = (shape: RegExp): VerdictLine => ({ says: 'failed', shape });
