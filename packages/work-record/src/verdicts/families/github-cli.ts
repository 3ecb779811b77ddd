import { failed, passed, type ToolFamily } from '../tool-family.ts';

export const githubCli: ToolFamily = {
  commands: [
    {
      programs: ['gh'],
      subcommands: ['pr create', 'pr merge', 'pr checks', 'release create', 'run watch'],
      valued: ['-R', '--repo'],
    },
  ],
  verdicts: [
    failed(/^\S.{0,200}\tfail\t/),
    failed(/^(?:X |GraphQL: |failed to |could not |pull request create failed|a pull request for branch)/),
    passed(/^\S.{0,200}\tpass\t/),
    passed(/^(?:https:\/\/\S{1,200}$|✓ )/),
  ],
  failing: [/^(?<name>\S[^\t]{0,150})\tfail\t/],
};
