import { failed, passed, type ToolFamily } from '../tool-family.ts';

export const mocha: ToolFamily = {
  commands: [{ programs: ['mocha', '_mocha', 'cypress', 'ava'] }],
  verdicts: [
    failed(/^[1-9]\d* failing\b/),
    failed(/^[1-9]\d* tests? failed$/),
    passed(/^\d+ passing\b/),
    passed(/^\d+ tests? passed$/),
  ],
  failing: [/^(?<number>\d{1,4})\) (?<name>\S.{0,300})$/],
  count: /^(\d+) (?:failing|tests? failed)/,
};
