import { failed, passed, type ToolFamily } from '../tool-family.ts';

/** Python formatters in check mode. */
export const black: ToolFamily = {
  commands: [{ programs: ['black', 'isort'], needs: ['--check', '--check-only', '--diff'] }],
  verdicts: [
    failed(/^\d+ files? would be reformatted/),
    failed(/^(?:error: cannot format|ERROR: \S+ Imports are incorrectly)/),
    passed(/^\d+ files? would be left unchanged/),
  ],
  failing: [
    /^would reformat (?<name>\S{1,250})/,
    /^ERROR: (?<name>\S{1,250}) Imports are incorrectly/,
    /^error: cannot format (?<name>\S{1,250}):/,
  ],
  count: /^(\d+) files? would be reformatted/,
  silent: true,
};
