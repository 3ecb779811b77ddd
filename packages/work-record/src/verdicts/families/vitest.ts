import { failed, passed, type ToolFamily } from '../tool-family.ts';

export const vitest: ToolFamily = {
  commands: [{ programs: ['vitest'], idle: ['list', 'init', '--list'] }],
  verdicts: [
    failed(/^Tests\s+\d+ failed\b/),
    failed(/^Test Files\s+\d+ failed\b/),
    failed(/^(?:No test files found|Type Errors\s+\d+ (?:failed|error)|Errors\s+\d+ errors?)/),
    passed(/^Tests\s+\d+ passed\b/),
    passed(/^Test Files\s+\d+ passed\b/),
  ],
  failing: [
    /^FAIL\s+(?:\|[^|]{1,60}\|\s+)?(?<name>\S.{0,300})$/,
    /^[×✗❯]\s+(?<name>[^\s(].{0,250} > .{1,200}?)(?:\s+\d+ms)?$/,
  ],
  count: /^Tests\s+(\d+) failed\b/,
};
