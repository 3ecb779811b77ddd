import { failed, type ToolFamily } from '../tool-family.ts';

export const eslint: ToolFamily = {
  commands: [
    { programs: ['eslint', 'oxlint', 'xo', 'standard', 'stylelint'], idle: ['--init', '--print-config'] },
    { programs: ['next'], subcommands: ['lint'] },
  ],
  verdicts: [
    failed(/^✖ \d+ problems? \([1-9]\d* errors?/),
    failed(/^✖ \d+ problems?$/),
    failed(/^Found \d+ warnings? and [1-9]\d* errors?/),
    failed(/^\d+:\d+\s+error\s/),
    { says: 'passed', shape: /^✖ \d+ problems? \(0 errors/ },
    { says: 'passed', shape: /^(?:✔ No ESLint warnings or errors|Found \d+ warnings? and 0 errors)/ },
  ],
  heading: /^(?:\/|\.{1,2}\/|[A-Za-z]:\\|[\w@-]{1,100}\/)[^\s:*?"<>|]{1,300}\.\w{1,10}$/,
  failing: [/^\d+:\d+\s+(?:error|Error:|✖)\s/],
  count: /^✖ \d+ problems? \((\d+) errors?/,
  silent: true,
};
