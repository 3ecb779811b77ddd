import { failed, passed, type ToolFamily } from '../tool-family.ts';

/** The test runner of Node.js, and other programs that write TAP. */
export const nodeTest: ToolFamily = {
  commands: [{ programs: ['node', 'tsx'], needs: ['--test'] }, { programs: ['tap', 'tape'] }],
  verdicts: [failed(/^[#ℹ] fail [1-9]/), passed(/^[#ℹ] pass \d/)],
  failing: [/^not ok \d{1,6} -? ?(?<name>\S.{0,300})$/, /^✖ (?!failing tests:)(?<name>\S.{0,300}?)(?: \([\d.]+ms\))?$/],
  count: /^[#ℹ] fail (\d+)/,
};
