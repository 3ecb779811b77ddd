import { failed, passed, type ToolFamily } from '../tool-family.ts';

/** Python linters that print one line per problem. */
export const flake8: ToolFamily = {
  commands: [{ programs: ['flake8', 'pycodestyle', 'pyflakes', 'pylint', 'bandit'] }],
  verdicts: [
    failed(/^\S{1,250}\.pyi?:\d+:\d+:? [EFWCRN]\d{3,4}:? /),
    passed(/^Your code has been rated at 10\.00\/10/),
    failed(/^Your code has been rated at /),
  ],
  failing: [/^(?<name>\S{1,250}\.pyi?:\d+):\d+:? [EFWCRN]\d{3,4}/],
  silent: true,
};
