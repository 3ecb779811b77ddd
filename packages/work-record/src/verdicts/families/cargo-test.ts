import { failed, passed, type ToolFamily } from '../tool-family.ts';

export const cargoTest: ToolFamily = {
  commands: [
    {
      programs: ['cargo'],
      subcommands: ['test', 't', 'nextest', 'insta test', 'llvm-cov', 'miri'],
      valued: ['--manifest-path', '--config', '-Z', '-C', '--color'],
      idle: ['--list', '--no-run'],
    },
  ],
  verdicts: [
    failed(/^test result: FAILED\./),
    failed(/^Summary \[.{1,40}\] .{0,80}\b[1-9]\d* failed\b/),
    failed(/^error: could not compile /),
    failed(/^error: (?:test failed|\d+ targets? failed|doctest failed)/),
    failed(/^error(?:\[E\d{1,5}\])?: /),
    passed(/^Summary \[.{1,40}\] .{0,80}\bpassed\b/),
    passed(/^test result: ok\. (?!0 passed; 0 failed; 0 ignored)/),
    passed(/^test result: ok\./),
  ],
  failing: [
    /^---- (?<name>\S.{0,250}?) stdout ----$/,
    /^test (?<name>\S.{0,250}?) \.{3} FAILED$/,
    /^FAIL \[.{1,30}\] (?<name>\S.{0,250})$/,
    /^--> (?<name>\S{1,250}?:\d+):\d+$/,
  ],
  count: /^test result: FAILED\. \d+ passed; (\d+) failed/,
};
