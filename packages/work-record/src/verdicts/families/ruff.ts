import { failed, passed, type ToolFamily } from '../tool-family.ts';

export const ruff: ToolFamily = {
  commands: [{ programs: ['ruff'], subcommands: ['check', 'format'] }],
  verdicts: [
    failed(/^Found [1-9]\d* errors?(?: \(\d+ fixed, [1-9]\d* remaining\))?\.$/),
    failed(/^\d+ files? would be reformatted/),
    failed(/^(?:error|ruff failed)\b/),
    passed(/^All checks passed!/),
    passed(/^\d+ files? (?:already formatted|left unchanged|reformatted)/),
    passed(/^Found \d+ errors? \(\d+ fixed, 0 remaining\)/),
  ],
  failing: [
    /^(?<name>\S{1,250}\.pyi?:\d+):\d+: [A-Z]{1,4}\d{3}/,
    /^--> (?<name>\S{1,250}\.pyi?:\d+):\d+$/,
    /^Would reformat: (?<name>\S{1,250})/,
  ],
  count: /^Found (\d+) errors?/,
};
