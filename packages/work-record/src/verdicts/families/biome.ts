import { failed, passed, type ToolFamily } from '../tool-family.ts';

export const biome: ToolFamily = {
  commands: [{ programs: ['biome', 'rome'], subcommands: ['check', 'ci', 'lint', 'format'] }],
  verdicts: [
    failed(/^Found [1-9]\d* errors?\.$/),
    failed(/^(?:check|ci|lint|format) ━/),
    failed(/^× (?:Some errors|The (?:file|code))/),
    passed(/^Checked \d+ files? in \S+\. /),
    passed(/^(?:Checked|Formatted) \d+ files? in /),
  ],
  failing: [
    /^(?<name>[^\s:]{1,250}\.\w{1,10})(?::\d+:\d+)? (?:lint|format|assist|parse|organizeImports|suppressions)(?:\/\S{1,100})?\s.{0,40}━/,
  ],
  count: /^Found (\d+) errors?/,
};
