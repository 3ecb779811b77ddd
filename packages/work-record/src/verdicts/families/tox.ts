import { failed, passed, type ToolFamily } from '../tool-family.ts';

export const tox: ToolFamily = {
  commands: [{ programs: ['tox', 'nox'], idle: ['-l', '--list', '--listenvs', 'list'] }],
  verdicts: [
    failed(/^(?:evaluation failed|ERROR:\s+\S+: commands failed|nox > Session \S+ failed|nox > \* \S+: failed)/),
    passed(/^(?:congratulations :\)|nox > Session \S+ was successful)/),
  ],
  failing: [/^(?<name>\S{1,80}): (?:FAIL|commands failed)\b/, /^nox > \* (?<name>\S{1,80}): failed/],
  runsOthers: true,
};
