import { failed, passed, type ToolFamily } from '../tool-family.ts';

/** Tests and analysers for PHP. */
export const phpunit: ToolFamily = {
  commands: [
    { programs: ['phpunit', 'pest', 'phpstan', 'psalm'] },
    { programs: ['artisan'], subcommands: ['test', 'migrate'] },
  ],
  verdicts: [
    failed(/^Tests: \d+, Assertions: \d+, (?:Errors|Failures): /),
    failed(/^Tests:\s+\d+ failed/),
    failed(/^(?:FAILURES!|ERRORS!)$/),
    failed(/^\[ERROR\] Found \d+ errors?/),
    passed(/^OK \(\d+ tests?, \d+ assertions?\)/),
    passed(/^Tests:\s+\d+ passed/),
    passed(/^(?:OK, but |\[OK\] No errors)/),
  ],
  failing: [
    /^(?<number>\d{1,4})\) (?<name>[\w\\]{1,200}::\S{1,200}.{0,100})$/,
    /^FAILED\s+(?<name>\S.{0,200} > .{1,200}?)\s{0,40}$/,
  ],
  count: /(?:Failures: |^Tests:\s+(?=\d+ failed))(\d+)/,
};
