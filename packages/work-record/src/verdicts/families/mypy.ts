import { failed, passed, type ToolFamily } from '../tool-family.ts';

/** Type checkers for Python. */
export const mypy: ToolFamily = {
  commands: [{ programs: ['mypy', 'dmypy', 'pyright', 'basedpyright', 'ty', 'pyre'] }],
  verdicts: [
    failed(/^Found [1-9]\d* errors? in /),
    failed(/^[1-9]\d* errors?, \d+ warnings?/),
    failed(/^Found [1-9]\d* diagnostics?$/),
    failed(/^\S{1,250}\.pyi?:\d+(?::\d+)?: error: /),
    passed(/^Success: no issues found/),
    passed(/^0 errors, \d+ warnings?/),
    passed(/^All checks passed!/),
  ],
  failing: [/^(?<name>\S{1,250}\.pyi?:\d+)(?::\d+)?:? (?:- )?error: /],
  count: /^(?:Found )?(\d+) errors?/,
};
