import { failed, passed, type ToolFamily } from '../tool-family.ts';

export const jest: ToolFamily = {
  commands: [
    { programs: ['jest'], idle: ['--listTests', '--showConfig', '--init'] },
    { programs: ['react-scripts'], subcommands: ['test'] },
  ],
  verdicts: [
    failed(/^Tests:\s+(?:[^,]{1,40}, )?\d+ failed\b/),
    failed(/^Test Suites:\s+(?:[^,]{1,40}, )?\d+ failed\b/),
    failed(/^No tests found, exiting with code 1/),
    passed(/^Tests:\s+(?:\d+ (?:skipped|todo), ){0,2}\d+ passed\b/),
    passed(/^Test Suites:\s+(?:\d+ skipped, )?\d+ passed\b/),
  ],
  failing: [/^● (?!Console$)(?<name>\S.{0,300})$/, /^FAIL\s+(?<name>\S.{0,300}?)(?: \(\d[\d.]* m?s\))?$/],
  count: /^Tests:\s+(?:[^,]{1,40}, )?(\d+) failed\b/,
};
