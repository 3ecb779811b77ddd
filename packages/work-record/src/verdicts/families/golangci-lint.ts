import { failed, passed, type ToolFamily } from '../tool-family.ts';

export const golangciLint: ToolFamily = {
  commands: [{ programs: ['golangci-lint'], subcommands: ['run', 'fmt'] }],
  verdicts: [
    failed(/^[1-9]\d* issues?:/),
    failed(/^[\w./-]{1,200}\.go:\d+:\d+: .{1,400}\([\w-]+\)$/),
    failed(/^level=error\b/),
    passed(/^0 issues\.?$/),
  ],
  failing: [/^(?<name>[\w./-]{1,200}\.go:\d+):\d+: .{1,400}\([\w-]+\)$/],
  count: /^(\d+) issues?:/,
  silent: true,
};
