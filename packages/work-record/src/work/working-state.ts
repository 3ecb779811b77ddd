import type { TurnLines } from '@palimpsest/salience';

const changeDirectory: RegExp = /(?:^|&&\s{0,8}|;\s{0,8})cd\s+("[^"\n]{1,300}"|'[^'\n]{1,300}'|[^\s;&|]{1,300})/g;
/** Matches a command that switches to a branch, and output that names the branch, such as the first line of a commit. */
const branch: RegExp =
  /\b(?:On branch|Switched to (?:a new )?branch|checkout -[bB]|switch -c)\s+'?([\w./-]{1,120})|^\[([\w./-]{1,120}) (?:\(root-commit\) )?[\da-f]{7,40}\] /;
/** Matches a command whose whole output is the name of the branch. */
const asksBranch: RegExp =
  /(?:^|&&\s{0,8}|;\s{0,8})git (?:branch --show-current|rev-parse --abbrev-ref HEAD)(?: 2>&1)?\s*$/;
const branchName: RegExp = /^(?!HEAD$)[\w./-]{1,120}$/;

/** Maximum characters to search at the beginning of a command. */
const searched = 4_000;

/** A value and the message that contains it. */
export interface Observed {
  /** Index of the message. */
  readonly index: number;
  readonly text: string;
}

/** The state of the work at the end of the turns; a field is `null` if the turns do not show it. */
export interface WorkingState {
  /** Target of the newest `cd`, with its quotation marks. */
  readonly directory: Observed | null;
  /** The git branch that was last switched to or shown. */
  readonly branch: Observed | null;
}

/** Reads the working directory and the git branch, from the newest line to the oldest. */
export function workingState({ lines, calls }: TurnLines): WorkingState {
  let directory: Observed | null = null;
  let on: Observed | null = null;
  for (let at = lines.length - 1; at >= 0 && !(directory && on); at--) {
    const { kind, text, call, at: index } = lines[at]!;
    if (kind !== 'call' && kind !== 'result') continue;
    if (kind === 'call' && !directory) {
      const targets = [...calls[call]!.target.slice(0, searched).matchAll(changeDirectory)];
      if (targets.length > 0) directory = { index, text: targets.at(-1)![1]! };
    }
    if (on) continue;
    const [, switched, committed] = branch.exec(text) ?? [];
    const isAnswer = kind === 'result' && call >= 0 && branchName.test(text) && asksBranch.test(calls[call]!.target);
    const name = switched ?? committed ?? (isAnswer ? text : undefined);
    if (name !== undefined) on = { index, text: name };
  }
  return { directory, branch: on };
}
