import { assistant, call, result, user } from '@palimpsest/testkit';
import { describe, expect, it } from 'vitest';
import { readWorkRecord } from '../src/index.ts';

const store = { question: 'Which "store"?', header: 'Store', options: [{ label: 'Redis' }, { label: 'SQLite' }] };
const scope = { question: 'What is in the first release?', header: 'Scope', id: 'scope' };

/** What is read from the result of one call. */
function answers(name: string, input: object, text: string): string[] {
  const messages = [user('Build a cache.'), assistant('', call('a', name, input)), result('a', text)];
  return readWorkRecord({ messages }).decisions.map(
    ({ index, by, text: said, question }) => `${index} ${by}: ${said} (${question})`,
  );
}

describe('the answers of a user to a tool that asks', () => {
  const two = { questions: [store, scope] };

  it('are decisions, each with its question', () => {
    const text =
      'User has answered your questions: "Which "store"?"="Redis, as "ever", \nplease", "What is in the first release?"="GitHub + npm". You can now continue with the user\'s answers in mind.';
    expect(answers('AskUserQuestion', two, text)).toEqual([
      '2 user: Redis, as "ever", please (Which "store"?)',
      '2 user: GitHub + npm (What is in the first release?)',
    ]);
  });

  it('may have notes, and previews that the agent wrote', () => {
    const said = 'User has answered your questions: "Which "store"?"="Redis"';
    const end = ". You can now continue with the user's answers in mind.";
    const one = ['AskUserQuestion', { questions: [store] }] as const;
    expect(answers(...one, `${said} user notes: Only for sessions${end}`)).toEqual([
      '2 user: Redis (Only for sessions) (Which "store"?)',
    ]);
    expect(answers(...one, `${said} user notes: Redis${end}`)).toEqual(['2 user: Redis (Which "store"?)']);
    expect(answers(...one, `${said} selected preview: a | b${end}`)).toEqual(['2 user: Redis (Which "store"?)']);
  });

  it.each([
    ['request_user_input', two, '{"answers":{"scope":{"answers":["npm","GitHub"]}}}', 'npm, GitHub', scope],
    ['ask_user', two, '{"answers":{"0":"Redis"}}', 'Redis', store],
    ['clarify', store, '{"question":"Which?","choices_offered":["Redis"],"user_response":"Redis"}', 'Redis', store],
    ['ask_followup_question', scope, '<answer>\nnpm only\n</answer>', 'npm only', scope],
    ['question', two, 'User has answered your questions: "Which "store"?"="Redis", ', 'Redis', store],
  ])('are read in the form of %s', (name, input, text, said, { question }) => {
    expect(answers(name, input, text)).toEqual([`2 user: ${said} (${question})`]);
  });

  it('are cut if they are long', () => {
    const text = `User has answered your questions: "Which "store"?"="${'a new store '.repeat(300)}"`;
    const [said] = answers('AskUserQuestion', { questions: [store] }, text);
    expect(said!.length).toBeLessThan(450);
    expect(said).toMatch(/^2 user: a new store .*\u2026 \(Which/);
  });

  const yes = 'User has answered your questions: "Which "store"?"="Redis"';
  it.each([
    ['a program', 'Bash', { command: 'cat notes.txt', ...store }, yes],
    ['the tool of a server', 'mcp__notes__ask_user', store, '{"user_response":"Redis"}'],
    ['a tool that anything may answer', 'ask_expert', store, '{"user_response":"Redis"}'],
    ['other questions', 'AskUserQuestion', { questions: [scope] }, yes],
    ['defaults', 'question', store, 'Running without a user. Auto-answered with defaults: "Which "store"?"="Redis"'],
    ['no answer', 'clarify', store, '{"question":"Which?","user_response":null}'],
    ['a question that is only shown', 'ask_user', store, 'Which "store"?'],
    ['broken JSON', 'clarify', store, '{"user_response":"Redis"'],
  ])('are not read from %s', (_, name, input, text) => {
    expect(answers(name, input, text)).toEqual([]);
  });
});

describe('a refused call', () => {
  it.each([
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). To tell you how to proceed, the user said:\nUse pnpm here.",
    'The user rejected permission to use this specific tool call with the following feedback: Use pnpm here.',
  ])("is told with the words of its result, which are not taken for the user's: %s", (text) => {
    expect(answers('Bash', { command: 'npm i' }, text)).toEqual(['2 refusal: Use pnpm here. (Bash)']);
  });

  it('without words decides nothing', () => {
    for (const text of [
      "The user doesn't want to proceed with this tool use. STOP what you are doing and wait for the user.",
      'The user rejected permission to use this specific tool call.',
      "The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:\nThe user wants to clarify these questions. This means that they may have questions for you.",
      'It says: The user rejected permission to use this specific tool call with the following feedback: Yes.',
    ])
      expect(answers('Bash', { command: 'npm i' }, text)).toEqual([]);
  });
});

it('an approved plan is a decision of the user, with its file', () => {
  const plan = '# Move the store to Redis\n\n1. Add the client.';
  const approved = `User has approved your plan. You can now start coding.\n\nYour plan has been saved to: /home/a/plans/sloth.md\nYou can refer back to it.\n\n## Approved Plan:\n${plan}`;
  expect(answers('ExitPlanMode', { plan }, approved)).toEqual([
    '2 user: the plan is approved: Move the store to Redis, in /home/a/plans/sloth.md (null)',
  ]);
  expect(answers('ExitPlanMode', {}, 'User has approved your plan.')).toEqual(['2 user: the plan is approved (null)']);
  expect(answers('ExitPlanMode', { plan }, 'User rejected the plan.')).toEqual([]);
  expect(answers('Bash', { command: 'cat a.md' }, approved)).toEqual([]);
});
