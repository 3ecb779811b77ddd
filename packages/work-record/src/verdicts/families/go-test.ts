import { failed, passed, type ToolFamily } from '../tool-family.ts';

export const goTest: ToolFamily = {
  commands: [
    { programs: ['go'], subcommands: ['test'], valued: ['-C'], idle: ['-list'] },
    { programs: ['gotestsum', 'ginkgo'] },
  ],
  verdicts: [
    failed(/^DONE \d+ tests?,.{0,40} [1-9]\d* failures?/),
    failed(/^FAIL\s+\S+\s+(?:[\d.]+s|\[(?:build|setup) failed\])/),
    failed(/^(?:FAIL!? --|--- FAIL: |panic: )/),
    failed(/^FAIL$/),
    passed(/^DONE \d+ tests?/),
    passed(/^ok\s+\S+\s+(?:[\d.]+s|\(cached\))(?!.*\[no tests to run\])/),
    passed(/^ok\s+\S+\s+(?:[\d.]+s|\(cached\))/),
    passed(/^(?:PASS$|SUCCESS! --)/),
    passed(/^\?\s+\S+\s+\[no test files\]/),
  ],
  failing: [/^(?:--- FAIL: (?<name>\S{1,250})|FAIL\s+(?<package>\S{1,250})\s+\[(?:build|setup) failed\])/],
  silent: true,
};
