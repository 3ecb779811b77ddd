import type { Message, Part } from '@palimpsest/core';
import { prependHandoff, writeHandoff } from '@palimpsest/core/authoring';
import { describe, expect, it } from 'vitest';
import { isFromPerson } from '../src/index.ts';

const user = (content: Message['content']): Message => ({ role: 'user', content });
const real = (content: Message['content']): boolean => isFromPerson(user(content), 0, []);
const text = (written: string): Part => ({ type: 'text', text: written }) as Part;
const image: Part = { type: 'image_url' };

describe('text that a person wrote is a request', () => {
  const requests: readonly string[] = [
    'yes',
    'y',
    'ok',
    'continue',
    'go on',
    'continue with the next file',
    'thanks',
    '1',
    '?',
    '👍',
    'stop',
    'no, the other one',
    'fix the failing test',
    'Why is `observation` undefined?',
    'Please proceed',
    'interrupted by a phone call, where were we?',
    'result: it works now. Next, the docs.',
    '/review src',
    '<b>is this bold?</b>',
    'I get <returncode>1</returncode>, why?',
    'TODO:\n- fix the login\n- add a test for it',
    'todo list\n1. rename the module\n2. publish',
    'Write it in\nC#',
    'Port this to\nF#',
    '{"a": 1} what is wrong with this?',
    '{"a": 1}',
    'Title: My page\nplease make that the heading',
    'Your code was great, now add types',
    'Your edit has broken the build',
    'Your command failed on my machine',
    'weiter',
    'ja, mach das',
    'continúa',
    'продолжай',
    '继续',
    '続けて',
    '계속해',
    'जारी रखें',
    'تابع',
    'המשך',
  ];
  for (const written of requests)
    it(JSON.stringify(written), () => {
      expect(real(written)).toBe(true);
    });

  it('an image without a word', () => {
    expect(real([image])).toBe(true);
  });

  it('words next to text of a harness in the same message', () => {
    expect(real('<system-reminder>Use the todo tool.</system-reminder>\nfix the test')).toBe(true);
    expect(real('fix the test <system-reminder>Use the todo tool.</system-reminder>')).toBe(true);
    expect(real([text('<ide_opened_file>src/a.ts</ide_opened_file>'), text('fix the test')])).toBe(true);
    expect(real([text('[Request interrupted by user]'), text('use the other branch')])).toBe(true);
  });

  it('words after a handoff, ours or of another system', () => {
    expect(real(prependHandoff(writeHandoff('## Goal\nNone.'), 'and the upload?'))).toBe(true);
    expect(
      real(
        '[CONTEXT COMPACTION - REFERENCE ONLY]\nGoal: x\n\n--- END OF CONTEXT SUMMARY - answer below ---\n\nand the upload?',
      ),
    ).toBe(true);
  });

  it('words after a handoff and after text of a harness', () => {
    expect(real(prependHandoff(writeHandoff('None.'), [text('OBSERVATION:\n$ ls'), text('fix the test')]))).toBe(true);
  });
});

describe('text that a harness wrote is not a request', () => {
  const artefacts: readonly string[] = [
    '',
    ' \n\t',
    '[Request interrupted by user]',
    '[Request interrupted by user for tool use]',
    '[Request cancelled]',
    'OBSERVATION:\nREADME.md\n(Open file: n/a)\n(Current directory: /repo)\nbash-$',
    'Observation: the file was saved',
    'EXECUTION RESULT of [execute_bash]:\nok',
    'Execution result: 0',
    'Tool result: 3 files changed',
    'Tool output (truncated): ...',
    '[Tool response] done',
    '[TOOL RESULT]\nok',
    '<returncode>0</returncode>\n<output>\nok\n</output>',
    '<output>ok</output>',
    '<observation>the page has loaded</observation>',
    '<tool_response>\n{"ok": true}\n</tool_response>',
    '<function_results>\n<result>ok</result>\n</function_results>',
    '<system-reminder>The date has changed.</system-reminder>',
    '<system-reminder>a</system-reminder>\n<system-reminder>b</system-reminder>',
    '<system-reminder>never closed',
    '<local-command-stdout>Bye!</local-command-stdout>',
    '<command-name>/clear</command-name>\n<command-message>clear</command-message>\n<command-args></command-args>',
    '<command-message>compact</command-message>',
    '<bash-input>ls</bash-input><bash-stdout>a</bash-stdout><bash-stderr></bash-stderr>',
    '<task-notification>agent 3 is done</task-notification>',
    '<environment_context>\n<cwd>/repo</cwd>\n</environment_context>',
    '## Current todo list\n- [x] read\n- [ ] write',
    'Your todo list:\n1. read\n2. write',
    'Todo list\n- [x] read\n- [ ] write',
    'TODO\n[ ] write',
    '[System: your context is nearly full]',
    'System reminder: be brief',
    '[Automated message] resume',
    'Please proceed to the next step using your best judgement.',
    'Continue with the next step.',
    'Your command ran successfully and did not produce any output.',
    'Your proposed edit has introduced new syntax error(s). Please read the error message.',
    'Your submission was incorrect. Please proceed.',
    'Title: Example Domain\n\nURL Source: https://example.com\n\ntext',
    'diff --git a/x b/x\n--- a/x\n+++ b/x',
    `{"results": [${'{"id": 1, "name": "example"}, '.repeat(4)}{"id": 2}]}`,
    'Ran `npm test`\n```\nok\n```',
    'ls\nREADME.md\nuser@host:/repo$',
    writeHandoff('## Goal\nNone.'),
    '[CONTEXT SUMMARY]:\n## Goal\nearlier turns',
    '[CONTEXT COMPACTION \u2014 REFERENCE ONLY]\n## Active Task\nearlier turns',
    'This session is being continued from a previous conversation that ran out of context. The summary is below.',
  ];
  for (const written of artefacts)
    it(JSON.stringify(written.slice(0, 60)), () => {
      expect(real(written)).toBe(false);
    });

  it('blank parts, and a screenshot with text of a browser', () => {
    expect(real([])).toBe(false);
    expect(real([text(' ')])).toBe(false);
    expect(real(null)).toBe(false);
    expect(real([text('Current screenshot:'), image])).toBe(false);
  });

  it('another role', () => {
    for (const role of ['system', 'developer', 'assistant', 'tool', 'function'] as const)
      expect(isFromPerson({ role, content: 'fix the test' }, 0, [])).toBe(false);
  });
});

describe('recognising a request', () => {
  it('takes linear time, even if marks are opened and never closed', () => {
    const size = 200_000;
    const hostile: readonly string[] = [
      '<system-reminder '.repeat(size / 17),
      '<system-reminder>'.repeat(size / 17),
      '<tool_response></tool_respons>'.repeat(size / 30),
      `Todo list\n${' '.repeat(size)}`,
      `Todo list\n${'\n'.repeat(size)}`,
      `Ran \`x\`${'\n'.repeat(size)}`,
      `[${' '.repeat(size)}`,
      `#${'#'.repeat(size)} todo`,
      `[CONTEXT COMPACTION${' - '.repeat(size / 3)}`,
      `[CONTEXT SUMMARY]${'\n--- END OF CONTEXT SUMMARY'.repeat(size / 27)}`,
      `Title: ${'x\n'.repeat(size / 2)}`,
      '{'.repeat(size) + '}'.repeat(size),
    ];
    // More than linear time would take minutes here; the test runner's timeout is the limit.
    for (const written of hostile) expect(typeof real(written)).toBe('boolean');
  });
});

it('a text that the result before it announces is not a request: Claude Code loads a skill like this', () => {
  const skill = 'Approach this as a design lead. Never use lorem ipsum.';
  const loaded: Message = { role: 'tool', tool_call_id: 's', content: 'Launching skill: artifact-design' };
  const other: Message = { role: 'tool', tool_call_id: 'r', content: 'const a = 1;' };
  const judged = (...messages: readonly Message[]): boolean =>
    isFromPerson(messages.at(-1)!, messages.length - 1, messages);
  expect(judged(loaded, user(skill))).toBe(false);
  expect(judged(loaded, other, user(skill))).toBe(false);
  expect(judged(loaded, { role: 'assistant', content: 'Loaded.' }, user(skill))).toBe(true);
  expect(judged(other, user(skill))).toBe(true);
});
