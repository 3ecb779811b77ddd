import { failed, passed, type ToolFamily } from '../tool-family.ts';

export const gitCommit: ToolFamily = {
  commands: [
    {
      programs: ['git'],
      subcommands: ['commit'],
      valued: ['-C', '-c', '--git-dir', '--work-tree'],
      idle: ['--dry-run'],
    },
  ],
  verdicts: [
    failed(
      /^(?:nothing to commit|no changes added to commit|nothing added to commit|Aborting commit|error: (?:Committing|pathspec|gpg)|husky - .{0,60}(?:failed|exited|code))/,
    ),
    failed(/\.{3,}\s{0,4}Failed$/),
    failed(/^fatal: (?!not a valid object)/),
    passed(/^\[[^\]\n]{1,200} (?:\(root-commit\) )?[0-9a-f]{7,40}\] /),
  ],
  // Checks of a hook, as printed by pre-commit.
  failing: [/^(?<name>\S.{0,100}?)\.{3,}\s{0,4}Failed$/],
};
