import type { Message, ToolCall } from '@palimpsest/core';
import { prependHandoff, writeHandoff } from '@palimpsest/core/authoring';
import { bulkText } from './bulk-text.ts';
import { foreignHandoffTexts, harnessTexts, taskTexts } from './harness-text.ts';
import {
  assistant,
  call,
  callsWithResults,
  customCall,
  image,
  legacyCall,
  legacyResult,
  result,
  system,
  text,
  user,
} from './message-builders.ts';
import { type Random, random } from './random.ts';

/** Settings for steps, and the counter for unique call ids. */
export interface StepContext {
  readonly secrets: readonly string[];
  /** True if call ids may repeat, even within one message. */
  readonly repeatIds: boolean;
  nextCall: number;
}

/** Generates the messages of one step of a transcript, deterministically from the seed. */
type Step = (from: Random, context: StepContext) => Message[];

const tools: readonly ((from: Random, context: StepContext) => readonly [name: string, input: unknown])[] = [
  (from) => ['read_file', { path: from.pick(paths), offset: from.below(3) * 100 }],
  (from) => ['Read', { file_path: from.pick(paths) }],
  (from, context) => ['terminal', { command: withSecret(from, context, from.pick(commands)) }],
  (from) => ['Bash', { command: from.pick(commands), timeout: 120_000 }],
  () => ['search_files', { pattern: 'parseRange', path: 'src' }],
  (from, context) => [
    'write_file',
    { path: from.pick(paths), content: withSecret(from, context, bulkText(from, '//')) },
  ],
  (from) => ['todo', { todos: [{ content: 'fix the range parser', status: from.pick(['pending', 'done']) }] }],
  () => ['web_search', { query: 'http range 416' }],
];
const paths = ['src/server/range.ts', 'src/server/upload.ts', 'test/upload.test.ts', 'README.md'] as const;
const commands = ['npm test', 'git status --short', 'npm run build && npm test -- --run', 'cat .env'] as const;

function withSecret(from: Random, { secrets }: StepContext, written: string): string {
  if (secrets.length === 0 || !from.chance(20)) return written;
  const secret = from.pick(secrets);
  return from.pick([
    (): string => `${written}\nAPI_TOKEN=${secret}\n`,
    (): string => `curl -H "Authorization: Bearer ${secret}" https://api.example.com; ${written}`,
    (): string => `${written.slice(0, 190)}{"apiKey": "${secret}"}${written.slice(190)}`,
  ])();
}

function newCall(from: Random, context: StepContext): ToolCall {
  const id = from.chance(90) || !context.repeatIds ? `call_${++context.nextCall}` : `call_${from.below(3)}`;
  const [name, input] = from.pick(tools)(from, context);
  return call(id, name, input);
}

function output(from: Random, context: StepContext): string {
  return withSecret(
    from,
    context,
    bulkText(from, from.pick(['$ npm test', 'src/server/range.ts', 'exit 1', '{"exit_code": 0}'])),
  );
}

function calls(from: Random, context: StepContext, atMost = 4): ToolCall[] {
  return Array.from({ length: 1 + (from.chance(60) ? 0 : from.below(atMost)) }, () => newCall(from, context));
}

function reply(from: Random): string {
  return from.pick([
    'Done.',
    'The parser accepts open ranges now; one test still fails.',
    'I will look at the upload next.\n\n- range.ts\n- upload.ts',
  ]);
}

const answer: Step = (from, context) => {
  const made = callsWithResults(...calls(from, context).map((one): [ToolCall, string] => [one, output(from, context)]));
  const [caller, ...results] = made;
  const spoken = from.chance(40) ? { ...caller!, content: reply(from) } : caller!;
  const thought = from.chance(15) ? { ...spoken, reasoning_content: bulkText(from, 'Thinking') } : spoken;
  return [thought, ...(from.chance(15) ? results.reverse() : results)];
};

const request: Step = (from, context) => [user(withSecret(from, context, from.pick(taskTexts)))];

/** A complete agent turn. Transcripts made only of these are valid in every dialect. */
const turn: Step = (from, context) => [
  ...request(from, context),
  ...Array.from({ length: from.below(4) }, () => answer(from, context)).flat(),
  assistant(reply(from)),
];

const failures: Readonly<Record<string, Step>> = {
  'orphan-call': (from, context) => [assistant(from.chance(50) ? null : reply(from), newCall(from, context))],
  'orphan-result': (from, context) => [result(`call_${from.below(context.nextCall + 3)}`, output(from, context))],
  'missing-result': (from, context) => answer(from, context).slice(0, -1),
  'result-too-late': (from, context) => {
    const [caller, ...results] = answer(from, context);
    return [caller!, from.chance(50) ? user('stop, use the other branch') : assistant('One moment.'), ...results];
  },
  'system-between': (from, context) => {
    const [caller, ...results] = answer(from, context);
    return [caller!, system('The user has gone offline.'), ...results];
  },
  'repeated-id': (from, context) => {
    const one = newCall(from, context);
    return [assistant(null, one, one), result(one.id, output(from, context)), result(one.id, 'again')];
  },
  'not-json': (from, context) => {
    const id = `call_${++context.nextCall}`;
    return callsWithResults([call(id, 'terminal', '{"command": "npm te'), output(from, context)]);
  },
  'blank-user': (from) => [from.pick([user(''), user(' \n'), user([]), user([text(' ')])])],
  'blank-assistant': (from) => [from.pick([assistant(null), assistant(''), { role: 'assistant' } as const])],
  'blank-result': (from, context) => {
    const made = newCall(from, context);
    const { content: _, ...bare } = result(made.id, '');
    return [assistant(null, made), from.pick([bare, { ...bare, content: null }, result(made.id, '')])];
  },
  'two-users': (from, context) => [...request(from, context), ...request(from, context)],
  'two-assistants': (from) => [assistant(reply(from)), assistant(reply(from))],
};

const oddities: Readonly<Record<string, Step>> = {
  'system-again': (from) => [
    from.pick([system('Answer briefly.'), { role: 'developer', content: 'No new dependencies.' } as const]),
  ],
  'user-images': (from) => [
    user([
      ...(from.chance(70) ? [text('What is wrong in this picture?')] : []),
      image(),
      ...(from.chance(30) ? [image()] : []),
    ]),
  ],
  'result-images': (from, context) =>
    callsWithResults([newCall(from, context), [text(output(from, context)), image()]]),
  custom: (from, context) =>
    callsWithResults([
      customCall(`call_${++context.nextCall}`, 'apply_patch', `*** Begin Patch\n${output(from, context)}`),
      'Done!',
    ]),
  legacy: (from, context) => [
    legacyCall('get_weather', { city: 'Bern' }),
    legacyResult('get_weather', output(from, context)),
  ],
  parts: (from, context) => [
    user([text(from.pick(harnessTexts)), text(withSecret(from, context, from.pick(taskTexts)))]),
  ],
  handoff: (from) => [user(writeHandoff(`## Goal\n${bulkText(from, 'Notes')}`))],
  'handoff-with-request': (from) => {
    const own = from.chance(70) ? from.pick(taskTexts) : [text(from.pick(taskTexts)), image()];
    return [user(withHandoff(from, own))];
  },
  'handoff-quoted': (from) => [
    user(`> ${writeHandoff('## Goal\nNone.').replaceAll('\n', '\n> ')}\n\n${from.pick(taskTexts)}`),
  ],
  'handoff-edited': (from) => [user(writeHandoff(`## Goal\n${from.pick(taskTexts)}`).replace('## Goal', '## goal'))],
  'handoff-foreign': (from) => [user(from.pick(foreignHandoffTexts))],
  harness: (from) => [user(from.pick(harnessTexts))],
};

function withHandoff(from: Random, own: Parameters<typeof prependHandoff>[1]): Parameters<typeof prependHandoff>[1] {
  return prependHandoff(writeHandoff(`## Active Task\n${from.pick(taskTexts)}`), own);
}

/** Every step by name. Shrinking tends towards the first ones. */
const steps: Readonly<Record<string, Step>> = {
  request,
  reply: (from) => [assistant(reply(from))],
  calls: answer,
  turn,
  ...oddities,
  ...failures,
};

/** Step names, repeated by frequency. `broken` includes steps that providers reject. */
export function stepNames(broken: boolean): readonly string[] {
  const often = (name: string, times: number): string[] => new Array<string>(times).fill(name);
  const usual = [...often('request', 6), ...often('reply', 4), ...often('calls', 14), ...often('turn', 14)];
  return broken ? [...usual, ...Object.keys(oddities), ...Object.keys(failures)] : ['turn'];
}

/** Generates the messages of one step. */
export function playStep(name: string, seed: number, context: StepContext): Message[] {
  return steps[name]!(random(seed), context);
}
