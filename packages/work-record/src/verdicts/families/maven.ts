import { failed, passed, type ToolFamily } from '../tool-family.ts';

export const maven: ToolFamily = {
  commands: [
    {
      programs: ['mvn', 'mvnw', 'mvnd'],
      target: true,
      valued: ['-f', '-pl', '-P', '--file', '--projects', '-s', '-T'],
    },
  ],
  verdicts: [
    failed(
      /^(?:\[ERROR\]\s+)?Tests run: \d+, (?:Failures: [1-9]\d*, Errors: \d+|Failures: 0, Errors: [1-9]\d*), Skipped: \d+$/,
    ),
    failed(/^(?:\[\w+\]\s+)?BUILD FAILURE$/),
    failed(/^\[ERROR\] (?:COMPILATION ERROR|Failed to execute goal)/),
    passed(/^(?:\[(?:INFO|WARNING)\]\s+)?Tests run: \d+, Failures: 0, Errors: 0, Skipped: \d+$/),
    passed(/^(?:\[\w+\]\s+)?BUILD SUCCESS$/),
  ],
  failing: [
    /^\[ERROR\]\s+(?<name>[\w$.]{1,200}[.:][\w$]{1,200})(?::\d+|\(|\s+Time elapsed:.{0,60}<<<)/,
    /^\[ERROR\] (?<name>\S{1,250}\.(?:java|kt|scala):\[\d+,\d+\])/,
  ],
  count: /Failures: (\d+)/,
};
