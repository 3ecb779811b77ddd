import { failed, passed, type ToolFamily } from '../tool-family.ts';

/** Git commands that combine changes: merge, rebase, pull and others. */
export const gitMerge: ToolFamily = {
  commands: [
    {
      programs: ['git'],
      subcommands: [
        'merge',
        'rebase',
        'pull',
        'cherry-pick',
        'revert',
        'am',
        'apply',
        'stash pop',
        'stash apply',
        'clone',
      ],
      valued: ['-C', '-c', '--git-dir', '--work-tree'],
      idle: ['--stat', '--abort', '--quit', '--check'],
    },
  ],
  verdicts: [
    failed(/^CONFLICT \(/),
    failed(/^(?:Automatic merge failed|Rebasing .{0,60}could not apply|error: |fatal: )/),
    passed(
      /^(?:Successfully rebased|Merge made by|Already up[ -]to[ -]date\.?|Fast-forward$|Current branch \S+ is up to date|Squash commit -- not updating|Dropped refs\/stash)/,
    ),
    passed(/^Updating [0-9a-f]{7,40}\.\.[0-9a-f]{7,40}$/),
    passed(/^\[[^\]\n]{1,200} [0-9a-f]{7,40}\] /),
  ],
  failing: [/^CONFLICT \([^)]{1,60}\): (?:Merge conflict in )?(?<name>\S.{0,250})$/],
};
