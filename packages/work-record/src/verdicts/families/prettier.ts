import { failed, passed, type ToolFamily } from '../tool-family.ts';

export const prettier: ToolFamily = {
  commands: [{ programs: ['prettier'], needs: ['--check', '-c', '--list-different', '-l'] }],
  verdicts: [
    failed(/^\[warn\] Code style issues found/),
    failed(/^\[error\] /),
    passed(/^All matched files use Prettier code style!/),
  ],
  failing: [/^\[(?:warn|error)\] (?!Code style)(?<name>\S{1,250}\.\w{1,10})(?::|$)/],
  count: /issues found in (\d+) files/,
  silent: true,
};
