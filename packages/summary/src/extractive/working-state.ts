import type { TurnLines } from '@palimpsest/salience';

const changeDirectory: RegExp = /(?:^|&&\s{0,8}|;\s{0,8})cd\s+("[^"\n]{1,300}"|'[^'\n]{1,300}'|[^\s;&|]{1,300})/g;
const branch: RegExp = /\b(?:On branch|Switched to (?:a new )?branch|checkout -[bB]|switch -c)\s+'?([\w./-]{1,120})/;
const testOutcome: RegExp =
  /\b\d+ (?:passed|failed|passing|failing|tests? (?:passed|failed)|errors?)\b|\btest result:|\bTests?:\s+\d|^(?:PASS|FAIL|ok|not ok)\s+\S.{0,120}$|\bBUILD (?:SUCCESSFUL|FAILED)\b|\bexit(?:ed)?(?: with)?(?: code)?[ :=]\s?\d+/;

/** How things stood at the end of the turns: directory, branch, the newest results of tests. Lines, technical. */
export function workingState(record: TurnLines): string[] {
  let directory = '';
  let on = '';
  let tests = '';
  for (const { kind, text, call } of record.lines) {
    if (kind === 'call') {
      const { target } = record.calls[call]!;
      for (const found of target.slice(0, 4_000).matchAll(changeDirectory)) directory = found[1]!;
    }
    if (kind === 'call' || kind === 'result') on = branch.exec(text)?.[1] ?? on;
    if (kind === 'result' && text.length <= 300 && testOutcome.test(text)) tests = text.trim();
  }
  return [directory && `cwd: ${directory}`, on && `branch: ${on}`, tests].filter(Boolean);
}
