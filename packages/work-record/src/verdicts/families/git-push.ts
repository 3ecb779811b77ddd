import { failed, passed, type ToolFamily } from '../tool-family.ts';

export const gitPush: ToolFamily = {
  commands: [
    {
      programs: ['git'],
      subcommands: ['push'],
      valued: ['-C', '-c', '--git-dir', '--work-tree'],
      idle: ['--dry-run', '-n'],
    },
  ],
  verdicts: [
    failed(/^(?:remote: .{0,200})?!\s+\[(?:remote )?(?:rejected|failure)\]/),
    failed(/^error: failed to push/),
    failed(/^(?:fatal: |error: |remote: (?:error|fatal|Permission|Invalid)|husky - .{0,60}(?:failed|exited))/),
    passed(/^(?:[+*-]\s+)?[0-9a-f]{7,40}\.{2,3}[0-9a-f]{7,40}\s+\S+\s+->/),
    passed(/^[*+-]\s+\[(?:new (?:branch|tag|reference)|deleted)\]/),
    passed(/^Everything up-to-date/),
  ],
};
