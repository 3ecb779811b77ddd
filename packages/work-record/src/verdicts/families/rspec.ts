import { failed, passed, type ToolFamily } from '../tool-family.ts';

/** Tests and linters for Ruby. */
export const rspec: ToolFamily = {
  commands: [
    { programs: ['rspec', 'rubocop', 'minitest'] },
    { programs: ['rails'], subcommands: ['test', 'db:migrate', 'spec'] },
  ],
  verdicts: [
    failed(/^\d+ examples?, [1-9]\d* failures?/),
    failed(/^\d+ runs, \d+ assertions, (?:[1-9]\d* failures|0 failures, [1-9]\d* errors)/),
    failed(/^\d+ files inspected, [1-9]\d* offenses? detected/),
    failed(/^An error occurred while loading/),
    passed(/^\d+ examples?, 0 failures/),
    passed(/^\d+ runs, \d+ assertions, 0 failures, 0 errors/),
    passed(/^\d+ files? inspected, no offenses/),
  ],
  failing: [
    /^rspec (?<name>\.{0,2}\/?\S{1,250}_spec\.rb\S{0,60})/,
    /^(?:Failure|Error):\s*(?<name>\S+#\S+)/,
    /^(?<name>[\w:]{1,150}#test_\S{1,150})/,
    /^(?<name>\S{1,250}\.rb:\d+):\d+: [CWEF]: /,
  ],
  count: /(\d+) (?:failures?|offenses?)/,
};
