import { failed, passed, type ToolFamily } from '../tool-family.ts';

export const deno: ToolFamily = {
  commands: [{ programs: ['deno'], subcommands: ['test', 'check', 'lint', 'fmt', 'task', 'bench'] }],
  verdicts: [
    failed(/^FAILED \| \d+ passed/),
    failed(/^(?:Found \d+ (?:problems?|errors?|not formatted files?)\b|error: )/),
    passed(/^ok \| \d+ passed/),
    passed(/^Checked \d+ files?$/),
  ],
  failing: [/^(?<name>\S.{0,250}?) => \S{1,200}:\d+:\d+$/, /^(?<name>\S.{0,250}?) \.{3} FAILED\b/],
  count: /(\d+) failed\b/,
  silent: true,
};
