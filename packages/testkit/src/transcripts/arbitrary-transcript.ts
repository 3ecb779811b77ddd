import type { Message } from '@palimpsest/core';
import fc from 'fast-check';
import { harnessTexts } from './harness-text.ts';
import { assistant, call, result, system, user } from './message-builders.ts';
import { type Random, random } from './random.ts';
import { playStep, type StepContext, stepNames } from './transcript-step.ts';

export interface TranscriptOptions {
  /** Maximum number of messages. @default 400 */
  readonly maxLength?: number | undefined;
  /** Secrets planted at random into user messages, tool results and tool arguments. @default none */
  readonly secrets?: readonly string[] | undefined;
  /**
   * `false` generates only transcripts that every dialect accepts: turns of a request, tool calls with results and a reply, possibly
   * ending with a request or pending tool calls. @default true
   */
  readonly broken?: boolean | undefined;
}

type Ending = 'none' | 'request' | 'pending' | 'pending-reminded' | 'pending-partly' | 'pending-unanswered';

const endings: readonly Ending[] = [
  'none',
  'request',
  'pending',
  'pending-reminded',
  'pending-partly',
  'pending-unanswered',
];

/**
 * Generates realistic and malformed agent transcripts: parallel calls, pending calls, orphans, images, blanks, several
 * system messages, arguments that are not JSON, repeated ids, custom and legacy calls, reasoning, earlier handoffs (ours,
 * quoted, edited, from other systems), harness messages, bulk tool output. Shrinks to a few simple messages.
 */
export function arbitraryTranscript(options: TranscriptOptions = {}): fc.Arbitrary<Message[]> {
  const { maxLength = 400, secrets = [], broken = true } = options;
  const step = fc.tuple(fc.constantFrom(...stepNames(broken)), fc.nat(0xffff));
  const upTo = (length: number): fc.Arbitrary<[string, number][]> => fc.array(step, { maxLength: length, size: 'max' });
  const played = fc.oneof(
    { withCrossShrink: true },
    { weight: 5, arbitrary: upTo(6) },
    { weight: 4, arbitrary: upTo(20) },
    { weight: 2, arbitrary: upTo(70) },
    { weight: 1, arbitrary: upTo(Math.max(70, maxLength)) },
  );
  return fc
    .tuple(played, fc.constantFrom(...endings), fc.nat(0xffff))
    .map(([recipe, ending, seed]) => write(recipe, ending, seed, { maxLength, secrets, broken }));
}

function write(
  recipe: readonly (readonly [string, number])[],
  ending: Ending,
  seed: number,
  options: { readonly maxLength: number; readonly secrets: readonly string[]; readonly broken: boolean },
): Message[] {
  const context: StepContext = { secrets: options.secrets, repeatIds: options.broken, nextCall: 0 };
  const from = random(seed);
  const last = endWith(ending, from, options.broken);
  const messages: Message[] = [];
  const add = (more: readonly Message[]): boolean => {
    if (messages.length + more.length + last.length > options.maxLength) return false;
    messages.push(...more);
    return true;
  };
  if (seed > 0 && from.chance(75)) add([system('You are a coding agent. Work in /repo.')]);
  if (options.broken && from.chance(10)) add([{ role: 'developer', content: 'Never push.' }]);
  for (const [name, stepSeed] of recipe) if (!add(playStep(name, stepSeed, context))) break;
  if (last.length <= options.maxLength) messages.push(...last);
  return messages;
}

/** What may follow results that the model has not seen: a reminder, an instruction, words that a user typed meanwhile. */
function remarks(from: Random): Message[] {
  const kinds = [user(from.pick(harnessTexts)), system('The task list is empty.'), user('Use the other branch.')];
  return kinds.filter(() => from.chance(60));
}

function endWith(ending: Ending, from: Random, broken: boolean): Message[] {
  if (ending === 'none') return [];
  const lastTask = user('And now the upload, please.');
  if (ending === 'request') return [lastTask];
  const calls = [0, 1, 2].map((at) => call(`call_last_${at}`, 'read_file', { path: `src/${at}.ts` }));
  const isWhole = ending === 'pending' || ending === 'pending-reminded';
  const answered = isWhole ? 3 : ending === 'pending-partly' && broken ? 1 : 0;
  const results = calls.slice(0, answered).map((made) => result(made.id, `contents of ${made.function.arguments}`));
  // Only some dialects accept a user message directly after results.
  const after = ending === 'pending-reminded' && broken ? remarks(from) : [];
  const batch = [assistant(null, ...calls), ...results, ...after];
  return broken && from.chance(50) ? batch : [lastTask, ...batch];
}
