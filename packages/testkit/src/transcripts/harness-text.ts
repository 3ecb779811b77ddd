/** User messages written by harnesses, not by people. The default `isFromPerson` returns `false` for all of them. */
export const harnessTexts: readonly string[] = [
  '[Request interrupted by user]',
  '[Request interrupted by user for tool use]',
  '<system-reminder>The task tools have not been used recently.</system-reminder>',
  '<local-command-stdout>Compacted.</local-command-stdout>',
  '<command-name>/compact</command-name>\n<command-message>compact</command-message>\n<command-args></command-args>',
  'OBSERVATION:\n$ ls\nREADME.md  src  test',
  '<returncode>0</returncode>\n<output>\nREADME.md\n</output>',
  '<tool_response>\n{"ok": true}\n</tool_response>',
  '[Tool result] 3 files changed',
  '## Current todo list\n- [x] read the file\n- [ ] fix the range parser',
  'Please proceed to the next step using your best judgement.',
  '[System: your context is 80 % full]',
];

/** User messages written by people, short and long, in several languages. The default `isFromPerson` accepts them all. */
export const taskTexts: readonly string[] = [
  'Fix the range parser in src/server/range.ts and run the tests.',
  'yes',
  'continue',
  'ok',
  'no, the other file',
  'Why does test/upload.test.ts fail? Always use tabs, and never touch the lock file.',
  'thanks',
  'never mind, undo that',
  'なぜ失敗したのか教えてください。',
  'Bitte benutze ab jetzt nur noch pnpm.',
  'продолжай',
  '继续',
  '1',
  '/review src/server',
  'Here is what I get:\n```\nError: expected 206 to be 416\n```\nany idea?',
];

/** Summaries in the formats that other systems insert. */
export const foreignHandoffTexts: readonly string[] = [
  '[CONTEXT SUMMARY]:\n## Goal\nFix the range parser.',
  '[CONTEXT COMPACTION \u2014 REFERENCE ONLY] Earlier turns were compacted.\n## Active Task\nFix the range parser.',
  '[CONTEXT COMPACTION - REFERENCE ONLY]\n## Active Task\nFix the range parser.\n\n--- END OF CONTEXT SUMMARY - respond to the message below ---\n\nAnd now the upload.',
  'This session is being continued from a previous conversation that ran out of context. The conversation is summarized below:\nThe user asked to fix the range parser.',
];
