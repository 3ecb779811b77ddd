/** How a tool is called. */
export interface CommandShape {
  /** Names of the program. */
  readonly programs: readonly string[];
  /** Subcommands of one or two words that count as a run. @default calls without a subcommand */
  readonly subcommands?: readonly string[] | undefined;
  /** Options, one of which is required, such as `--check`. It becomes part of the family's name. */
  readonly needs?: readonly string[] | undefined;
  /** True if the first argument is a target of the project and part of the family's name: `make test`. */
  readonly target?: true | undefined;
  /** Options before the subcommand that take a value, such as `-C` of git. */
  readonly valued?: readonly string[] | undefined;
  /** Options that prevent a run, in addition to `--help` and `--version`. */
  readonly idle?: readonly string[] | undefined;
}

/**
 * A row of the table of tools. The rows from one call to the next describe one tool, or tools with the same output.
 * Patterns are tried on trimmed lines without escape sequences, and must run in linear time.
 */
export type ToolRow =
  | { readonly kind: 'runs'; readonly shape: CommandShape; readonly silent: boolean; readonly runsOthers: boolean }
  | { readonly kind: 'passed' | 'failed' | 'failing' | 'heading' | 'count'; readonly pattern: RegExp };

type Lists = Partial<Record<'subcommands' | 'needs' | 'valued' | 'idle', string>>;

interface RunsOptions extends Lists {
  readonly target?: true;
  /** True if a successful run may print no verdict. */
  readonly silent?: true;
  /** True if it runs other tools and shows their output: package scripts, make, tox. */
  readonly runsOthers?: true;
}

/** How a tool is called. Lists are separated by commas. */
export function runs(programs: string, { target, silent, runsOthers, ...lists }: RunsOptions = {}): ToolRow {
  const listOf = (name: keyof Lists): readonly string[] | undefined => lists[name]?.split(', ');
  const shape = {
    programs: programs.split(', '),
    subcommands: listOf('subcommands'),
    needs: listOf('needs'),
    valued: listOf('valued'),
    idle: listOf('idle'),
    target,
  };
  return { kind: 'runs', shape, silent: silent === true, runsOthers: runsOthers === true };
}

/** A line that occurs only if the run passed. If several patterns match, the first in the table counts. */
export const passed = (pattern: RegExp): ToolRow => ({ kind: 'passed', pattern });

/** A line that occurs only if the run failed. If several patterns match, the first in the table counts. */
export const failed = (pattern: RegExp): ToolRow => ({ kind: 'failed', pattern });

/**
 * A line that names a failure, in the group `name` or `package`; without these groups, the last heading is the name. The
 * group `number` is the failure's number. The pattern with the most names counts, or else the first.
 */
export const failing = (pattern: RegExp): ToolRow => ({ kind: 'failing', pattern });

/** A line that consists of a file name and applies to the lines below it. */
export const heading = (pattern: RegExp): ToolRow => ({ kind: 'heading', pattern });

/** The number of failures in a verdict line, in group 1. */
export const count = (pattern: RegExp): ToolRow => ({ kind: 'count', pattern });
