import { failed, passed, type ToolFamily } from '../tool-family.ts';

export const dotnet: ToolFamily = {
  commands: [
    { programs: ['dotnet'], subcommands: ['test', 'build', 'restore', 'publish', 'format'] },
    { programs: ['msbuild'] },
  ],
  verdicts: [
    failed(/^Failed!\s+- Failed:\s+\d+/),
    failed(/^Test summary: total: \d+, failed: [1-9]/),
    failed(/^Build FAILED\.$/),
    failed(/^Build failed with [1-9]\d* error/),
    failed(/: error [A-Z]{2,6}\d{3,5}: /),
    passed(/^Passed!\s+- Failed:\s+0/),
    passed(/^Test summary: total: \d+, failed: 0/),
    passed(/^(?:Test Run Successful\.|Build succeeded)/),
  ],
  failing: [
    /^Failed (?<name>[\w.]{3,250}(?:\(.{0,100}\))?) \[/,
    /^(?<name>\S.{0,250}\(\d+,\d+\)): error [A-Z]{2,6}\d{3,5}: /,
  ],
  count: /(?:^Failed!\s+- Failed:\s+|failed: )(\d+)/,
};
