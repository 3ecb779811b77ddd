import { buildTools } from './build-tools.ts';
import { projectTools } from './project-tools.ts';
import type { CommandShape, ToolRow } from './tool-row.ts';

/** One tool, or tools with the same output, as the table describes it. */
export interface ToolFamily {
  readonly commands: readonly CommandShape[];
  /** Patterns for lines that state the outcome, in order of precedence. */
  readonly verdicts: readonly { readonly says: 'passed' | 'failed'; readonly shape: RegExp }[];
  readonly failing: readonly RegExp[];
  readonly heading: RegExp | undefined;
  readonly count: RegExp | undefined;
  readonly silent: boolean;
  readonly runsOthers: boolean;
}

/**
 * All known tools. A command belongs to the first that matches. Compilers come before test runners, because their errors
 * say more than the tests that they stop.
 */
export const toolFamilies: readonly ToolFamily[] = grouped([...buildTools, ...projectTools]).map(familyOf);

/** Begins a group at each call that follows other rows. */
function grouped(rows: readonly ToolRow[]): ToolRow[][] {
  const groups: ToolRow[][] = [];
  for (const [at, row] of rows.entries()) {
    if (row.kind === 'runs' && rows[at - 1]?.kind !== 'runs') groups.push([]);
    groups.at(-1)!.push(row);
  }
  return groups;
}

function familyOf(rows: readonly ToolRow[]): ToolFamily {
  const calls = rows.flatMap((row) => (row.kind === 'runs' ? [row] : []));
  const patterns = rows.flatMap((row) => (row.kind === 'runs' ? [] : [row]));
  const only = (kind: ToolRow['kind']): RegExp[] =>
    patterns.filter((row) => row.kind === kind).map(({ pattern }) => pattern);
  return {
    commands: calls.map(({ shape }) => shape),
    verdicts: patterns.flatMap(({ kind, pattern }) =>
      kind === 'passed' || kind === 'failed' ? [{ says: kind, shape: pattern }] : [],
    ),
    failing: only('failing'),
    heading: only('heading')[0],
    count: only('count')[0],
    silent: calls.some(({ silent }) => silent),
    runsOthers: calls.some(({ runsOthers }) => runsOthers),
  };
}
