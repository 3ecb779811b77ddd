import { failed, passed, type ToolFamily } from '../tool-family.ts';

export const playwright: ToolFamily = {
  commands: [{ programs: ['playwright'], subcommands: ['test'], idle: ['--list'] }],
  verdicts: [failed(/^\d+ failed$/), passed(/^\d+ passed \(/)],
  failing: [
    /^(?<number>\d{1,4})\) (?<name>\[?\S.{0,250} › .{1,200}?)[ ─]*$/,
    /^(?<name>\[[\w .-]{1,40}\] › .{1,250}?)[ ─]*$/,
  ],
  count: /^(\d+) failed$/,
};
