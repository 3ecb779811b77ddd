import type { Message } from '@palimpsest/core';
import { prependHandoff, writeHandoff } from '@palimpsest/core/authoring';
import type { Scenario } from '../scenario.ts';
import { scenarioFor } from '../scenario.ts';
import { assistant, call, callsWithResults, image, result, system, text, user } from './message-builders.ts';

/** A chat with a system prompt and `turns` turns: a request, a tool call with about `characters` of output, a reply. */
export function chat(turns: number, characters = 4_000): Message[] {
  const messages: Message[] = [system('You are a coding agent.')];
  for (let turn = 0; turn < turns; turn++)
    messages.push(
      user(`Request ${turn}: look at src/module-${turn}.ts and tell me what it exports.`),
      ...callsWithResults([
        call(`call_${turn}`, 'read_file', { path: `src/module-${turn}.ts` }),
        `// module ${turn}\n${`export const value${turn} = ${turn};\n`.repeat(Math.ceil(characters / 26))}`,
      ]),
      assistant(`It exports value${turn}.`),
    );
  return messages;
}

/** A system prompt and one request, followed by many tool calls with about `characters` of output each. */
export function autonomousWork(exchanges: number, characters = 4_000): Message[] {
  const messages: Message[] = [
    system('You are a coding agent.'),
    user('Migrate every module to the new API. Never touch the lock file.'),
  ];
  for (let step = 0; step < exchanges; step++)
    messages.push(
      ...callsWithResults([
        call(`step_${step}`, 'terminal', { command: `npm test -- module-${step}` }),
        `exit 0\n${`ok ${step} passes\n`.repeat(Math.ceil(characters / 14))}`,
      ]),
    );
  return messages;
}

/**
 * Turns that start with an announcement and end with calls, directly followed by the next request. A handoff inserted
 * before such a request would make two user turns in a row, so a tail can start in only a few places.
 */
function createAnnouncedWork(turns: number, exchanges: number, characters = 1_000): Message[] {
  const messages: Message[] = [system('You are a coding agent.')];
  for (let turn = 0; turn < turns; turn++) {
    messages.push(user(`Request ${turn}: port module ${turn}.`), assistant('I will run its tests while I do.'));
    for (let step = 0; step < exchanges; step++)
      messages.push(
        ...callsWithResults([
          call(`port_${turn}_${step}`, 'terminal', { command: `npm test -- module-${turn}` }),
          `exit 0\n${`ok ${step} passes\n`.repeat(Math.ceil(characters / 14))}`,
        ]),
      );
  }
  return messages;
}

/** Fixed transcripts that most cases check before the generated ones. */
export function plainExamples(): readonly { readonly name: string; readonly scenario: Scenario }[] {
  const requested = [...chat(14, 2_000), user('Which of them export nothing?')];
  const batch = [
    assistant(null, call('a', 'read_file', { path: 'a' }), call('b', 'read_file', { path: 'b' })),
    result('a', 'text '.repeat(2_000)),
  ];
  const carried = prependHandoff(writeHandoff('## Goal\nKnow the modules.'), 'Go on with the rest.');
  const examples: Readonly<Record<string, Message[]>> = {
    'an empty transcript': [],
    'a system prompt alone': [system('You are a coding agent.')],
    'one request': [user('yes')],
    'a chat that ends with a reply': chat(14, 2_000),
    'a chat that ends with a request': requested,
    'a chat with pending calls': [...requested, ...batch],
    'a reminder and a system message after pending calls': [
      ...autonomousWork(12, 2_000),
      ...callsWithResults([call('last', 'read_file', { path: 'a' }), 'text '.repeat(2_000)]),
      system('The user is away.'),
      user('<system-reminder>The task tools have not been used recently.</system-reminder>'),
    ],
    'a request that was typed while calls were pending': [
      ...autonomousWork(12, 2_000),
      ...callsWithResults([call('last', 'read_file', { path: 'a' }), 'text '.repeat(2_000)]),
      user('Leave out the tests.'),
    ],
    'one request and long work': autonomousWork(28, 2_000),
    'turns that end with calls': [...createAnnouncedWork(5, 6), user('And the others?')],
    'a request of two messages, one with an image': [
      ...chat(10, 2_000),
      user('Look at this.'),
      user([text('What is it?'), image()]),
    ],
    'an old request, later a harness nudge': [
      ...autonomousWork(10, 2_000),
      user('Please proceed to the next step.'),
      ...autonomousWork(10, 2_000).slice(2),
    ],
    'an earlier handoff that carries the request': [
      system('You are a coding agent.'),
      user(carried),
      ...autonomousWork(20, 2_000).slice(2),
    ],
    'a user message between call and result, after a handoff that is not the first message': [
      ...chat(6, 2_000),
      user(writeHandoff('## Goal\nKnow the modules.')),
      assistant(null, call('late', 'terminal', { command: 'git status --short' })),
      user('Stop, use the other branch.'),
      result('late', ' M src/module-1.ts\n'.repeat(40)),
    ],
    'a long instruction behind the first request, and an older copy of it': [
      ...autonomousWork(4, 4_000),
      system(`# Environment\n${'Ask before you delete a file.\n'.repeat(30)}`),
      ...autonomousWork(12, 4_000).slice(2),
      system(`# Environment\n${'Ask before you delete a file.\n'.repeat(30)}`),
      ...autonomousWork(14, 4_000).slice(2),
    ],
    'system messages in the middle': [
      ...chat(6, 2_000),
      system('From now on answer in German.'),
      ...chat(6, 2_000).slice(1),
      user('And now?'),
    ],
  };
  return Object.entries(examples).map(([name, messages]) => ({ name, scenario: scenarioFor(messages) }));
}
