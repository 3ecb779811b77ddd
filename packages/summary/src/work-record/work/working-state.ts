import type { TranscriptLine, TranscriptLines } from '@palimpsest/pruner/salience';

const changeDirectory: RegExp = /(?:^|&&\s{0,8}|;\s{0,8})cd\s+("[^"\n]{1,300}"|'[^'\n]{1,300}'|[^\s;&|]{1,300})/g;
/** Matches a command that switches to a new branch. */
const switches: RegExp =
  /\bgit (?:-\S+ (?:\S+ )?)?(?:checkout -[bB]|switch -[cC])\s+['"]?([\w./-]{1,120})(?=['"\s;&|]|$)/;
/** Matches a line of git that names the branch: of a status, a switch, a commit. */
const branch: RegExp =
  /^(?:On branch ([\w./-]{1,120})|Switched to (?:a new )?branch '([\w./-]{1,120})'|\[([\w./-]{1,120}) (?:\(root-commit\) )?[\da-f]{7,40}\] .*)$/;
const callsGit: RegExp = /\bgit\b/;
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
export function workingState({ lines, calls }: TranscriptLines): WorkingState {
  let directory: Observed | null = null;
  let on: Observed | null = null;
  for (let at = lines.length - 1; at >= 0 && !(directory && on); at--) {
    const { kind, call, at: index } = lines[at]!;
    if (kind !== 'call' && kind !== 'result') continue;
    if (kind === 'call' && !directory) {
      const targets = [...calls[call]!.target.slice(0, searched).matchAll(changeDirectory)];
      if (targets.length > 0) directory = { index, text: targets.at(-1)![1]! };
    }
    if (on) continue;
    const name = branchIn(lines[at]!, call < 0 ? null : calls[call]!.target.slice(0, searched));
    if (name !== undefined) on = { index, text: name };
  }
  return { directory, branch: on };
}

/**
 * The branch that a line names. Only git knows it: a document that the agent reads may describe branches in the same words.
 * @param target the subject of the call to which the line belongs, such as its command; `null` for none
 */
function branchIn({ kind, text }: TranscriptLine, target: string | null): string | undefined {
  if (kind === 'call') return target === null ? undefined : switches.exec(target)?.[1];
  if (target !== null && !callsGit.test(target)) return undefined;
  if (target !== null && asksBranch.test(target) && branchName.test(text)) return text;
  return branch.exec(text)?.slice(1).find(Boolean);
}
