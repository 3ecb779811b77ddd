import { failed, passed, type ToolFamily } from '../tool-family.ts';

export const pytest: ToolFamily = {
  commands: [{ programs: ['pytest', 'py.test'], idle: ['--collect-only', '--co', '--fixtures', '--markers'] }],
  verdicts: [
    failed(/^=*\s?(?:\d+ [a-z]+, ){0,8}\d+ (?:failed|errors?)\b.{0,200} in [\d.]+s/),
    failed(/^(?:=+ )?(?:no tests ran in |no tests collected)/),
    failed(
      /^(?:ERROR: (?:not found:|file or directory not found|usage)|!+ Interrupted: |!+ stopping after |INTERNALERROR>|ImportError while loading conftest)/,
    ),
    passed(/^=*\s?(?:\d+ [a-z]+, ){0,8}\d+ passed\b.{0,200} in [\d.]+s/),
    passed(/^=*\s?\d+ (?:skipped|xfailed|deselected)\b.{0,200} in [\d.]+s/),
    passed(/^\.{1,200}\s+\[100%\]$/),
  ],
  failing: [
    /^(?:FAILED|ERROR) (?<name>\S{1,300}?(?:\.py|::\S{1,300}))(?: - .{0,1000})?$/,
    /^(?<name>\S{1,250}\.py::\S{1,250}) (?:FAILED|ERROR)\b/,
    /^_{3,} (?:ERROR (?:collecting|at setup of) )?(?<name>[\w.:/-][^_].{0,200}?) _{3,}$/,
  ],
  count: /\b(\d+) failed\b/,
};
