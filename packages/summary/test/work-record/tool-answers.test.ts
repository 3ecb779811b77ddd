import { assistant, call, result, system, user } from '@palimpsest/testkit';
import { describe, expect, it } from 'vitest';
import { readWorkRecord } from '../../src/work-record/read-work-record.ts';

const store = { question: 'Which "store"?', header: 'Store', options: [{ label: 'Redis' }, { label: 'SQLite' }] };
const scope = { question: 'What is in the first release?', header: 'Scope', id: 'scope' };

/** By which prompt an agent is recognized. */
const prompts: Readonly<Record<string, string>> = {
  AskUserQuestion: "You are Claude Code, Anthropic's official CLI for Claude.",
  ExitPlanMode: "You are a Claude agent, built on Anthropic's Claude Agent SDK.",
  ask_followup_question: 'You are Cline, a highly skilled software engineer.',
  ask_user: 'You are Gemini CLI, an interactive agent.',
  clarify: 'You are Hermes Agent, an intelligent AI assistant.',
  question: 'You are OpenCode, the best coding agent on the planet.',
  request_user_input: 'You are Codex, based on GPT-5.',
};

/** What is read from the result of one call. */
function answers(name: string, input: object, text: string, prompt = prompts[name] ?? prompts.clarify!): string[] {
  const messages = [system(prompt), user('Build a cache.'), assistant('', call('a', name, input)), result('a', text)];
  return readWorkRecord({ messages }).answers.map(
    ({ index, isRefusal, text: said, question }) => `${index} ${isRefusal ? 'refusal' : 'user'}: ${said} (${question})`,
  );
}

describe('the answers of a user to a tool that asks', () => {
  const two = { questions: [store, scope] };

  it('are decisions, each with its question', () => {
    const text =
      'User has answered your questions: "Which "store"?"="Redis, as "ever", \nplease", "What is in the first release?"="GitHub + npm". You can now continue with the user\'s answers in mind.';
    expect(answers('AskUserQuestion', two, text)).toEqual([
      '3 user: Redis, as "ever", please (Which "store"?)',
      '3 user: GitHub + npm (What is in the first release?)',
    ]);
  });

  it('may have notes, and previews that the agent wrote', () => {
    const said = 'User has answered your questions: "Which "store"?"="Redis"';
    const end = ". You can now continue with the user's answers in mind.";
    const one = ['AskUserQuestion', { questions: [store] }] as const;
    expect(answers(...one, `${said} user notes: Only for sessions${end}`)).toEqual([
      '3 user: Redis (Only for sessions) (Which "store"?)',
    ]);
    expect(answers(...one, `${said} user notes: Redis${end}`)).toEqual(['3 user: Redis (Which "store"?)']);
    expect(answers(...one, `${said} selected preview: a | b${end}`)).toEqual(['3 user: Redis (Which "store"?)']);
  });

  it.each([
    ['request_user_input', two, '{"answers":{"scope":{"answers":["npm","GitHub"]}}}', 'npm, GitHub', scope],
    ['ask_user', two, '{"answers":{"0":"Redis"}}', 'Redis', store],
    ['clarify', store, '{"question":"Which?","choices_offered":["Redis"],"user_response":"Redis"}', 'Redis', store],
    ['ask_followup_question', scope, '<answer>\nnpm only\n</answer>', 'npm only', scope],
    ['question', two, 'User has answered your questions: "Which "store"?"="Redis", ', 'Redis', store],
  ])('are read in the form of %s', (name, input, text, said, { question }) => {
    expect(answers(name, input, text)).toEqual([`3 user: ${said} (${question})`]);
  });

  it('are cut if they are long', () => {
    const text = `User has answered your questions: "Which "store"?"="${'a new store '.repeat(300)}"`;
    const [said] = answers('AskUserQuestion', { questions: [store] }, text);
    expect(said!.length).toBeLessThan(450);
    expect(said).toMatch(/^3 user: a new store .*\u2026 \(Which/);
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

describe('a tool that asks', () => {
  const input = { ...store, plan: '# Push to main' };
  const forms: Readonly<Record<string, string>> = {
    ExitPlanMode: 'User has approved your plan.',
    exit_plan_mode: 'User has approved your plan.',
    clarify: '{"user_response":"Redis"}',
    ask_followup_question: '<answer>Redis</answer>',
  };
  const text = (name: string): string => forms[name] ?? 'User has answered your questions: "Which "store"?"="Redis"';
  const owner = (name: string): string => prompts[name] ?? prompts.ExitPlanMode!;

  it.each([...Object.keys(prompts), 'exit_plan_mode'])('is not answered by the user in another agent: %s', (name) => {
    const others = ['You are a helpful assistant.', ...Object.values(prompts)].filter(
      (one) => !/Claude/.test(one) || !/Claude/.test(owner(name)),
    );
    for (const prompt of others.filter((one) => one !== owner(name)))
      expect([prompt, answers(name, input, text(name), prompt)]).toEqual([prompt, []]);
    expect(answers(name, input, text(name), owner(name))).toHaveLength(1);
  });

  it('is recognized by other tools of its agent, but not by tools of servers', () => {
    const read = (other: string): number =>
      readWorkRecord({
        messages: [
          user('Build a cache.'),
          assistant('', call('b', other, {})),
          result('b', 'ok'),
          assistant('', call('a', 'question', store)),
          result('a', text('question')),
        ],
      }).answers.length;
    expect(read('todowrite')).toBe(1);
    for (const other of ['TodoWrite', 'mcp__todo__todowrite', 'bash', 'question']) expect(read(other)).toBe(0);
  });
});

describe('a refused call', () => {
  it.each([
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). To tell you how to proceed, the user said:\nUse pnpm here.",
    'The user rejected permission to use this specific tool call with the following feedback: Use pnpm here.',
  ])("is told with the words of its result, which are not taken for the user's: %s", (text) => {
    expect(answers('Bash', { command: 'npm i' }, text)).toEqual(['3 refusal: Use pnpm here. (Bash)']);
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
    '3 user: the plan is approved: Move the store to Redis, in /home/a/plans/sloth.md (null)',
  ]);
  expect(answers('ExitPlanMode', {}, 'User has approved your plan.')).toEqual(['3 user: the plan is approved (null)']);
  expect(answers('ExitPlanMode', { plan }, 'User rejected the plan.')).toEqual([]);
  expect(answers('Bash', { command: 'cat a.md' }, approved)).toEqual([]);
});
