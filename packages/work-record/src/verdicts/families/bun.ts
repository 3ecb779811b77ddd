import { failed, passed, type ToolFamily } from '../tool-family.ts';

export const bun: ToolFamily = {
  commands: [{ programs: ['bun'], subcommands: ['test'] }],
  verdicts: [failed(/^[1-9]\d* fail$/), passed(/^\d+ pass$/), passed(/^Ran \d+ tests? across/)],
  failing: [/^\(fail\) (?<name>\S.{0,300}?)(?: \[[\d.]+m?s\])?$/],
  count: /^(\d+) fail$/,
};
