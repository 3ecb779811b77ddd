import { failed, passed, type ToolFamily } from '../tool-family.ts';

/** Builds and tests of C and C++ projects. */
export const ctest: ToolFamily = {
  commands: [
    { programs: ['ctest'], idle: ['-N', '--show-only'] },
    { programs: ['cmake'] },
    { programs: ['gcc', 'g++', 'clang', 'clang++', 'cc', 'c++', 'zig', 'swift', 'xcodebuild', 'javac', 'ghc'] },
  ],
  verdicts: [
    failed(/^\d+% tests passed, [1-9]\d* tests? failed out of \d+/),
    failed(/^CMake Error\b/),
    failed(/^\S{1,250}:\d+(?::\d+)?: (?:fatal )?error: /),
    failed(/^(?:collect2: error|clang: error|\*\* (?:BUILD|TEST) FAILED \*\*)/),
    passed(/^100% tests passed, 0 tests failed/),
    passed(
      /^(?:-- Build files have been written to|\[100%\] Built target|\*\* (?:BUILD|TEST) SUCCEEDED \*\*|Build complete!)/,
    ),
  ],
  failing: [
    /^\d+ - (?<name>\S{1,200}) \((?:Failed|Timeout|SEGFAULT|Not Run|Subprocess)/,
    /^(?<name>\S{1,250}?:\d+)(?::\d+)?: (?:fatal )?error: /,
  ],
  count: /tests passed, (\d+) tests? failed/,
  silent: true,
};
