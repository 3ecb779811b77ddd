import { failed, passed, type ToolFamily } from '../tool-family.ts';

export const typescript: ToolFamily = {
  commands: [
    {
      programs: ['tsc', 'tsgo', 'vue-tsc', 'svelte-check', 'tsup'],
      idle: ['--init', '--showConfig', '--listFiles', '-v'],
    },
  ],
  verdicts: [
    failed(/^Found [1-9]\d* errors?\b/),
    failed(/^\S.{0,250}(?:\(\d+,\d+\)|:\d+:\d+)(?: -|:) error TS\d+: /),
    failed(/^error TS\d+: /),
    failed(/^svelte-check found [1-9]\d* error/),
    passed(/^(?:Found 0 errors\b|svelte-check found 0 errors)/),
  ],
  failing: [/^(?<name>\S.{0,250}\(\d+,\d+\)): error TS\d+: /, /^(?<name>\S.{0,250}?:\d+):\d+ - error TS\d+: /],
  count: /^Found (\d+) errors?/,
  silent: true,
};
