import { compressor, compressorPlanner } from '@palimpsest/compressor';
import type { EngineHost, Message } from '@palimpsest/core';
import { createEngine } from '@palimpsest/core/authoring';
import { pruneCompact, pruneCompactPlanner } from '@palimpsest/prune-compact';
import {
  assistant,
  call,
  createScriptedSummarizer,
  type ManualClock,
  manualClock,
  result,
  type ScriptedSummarizer,
  user,
  writeShortSummary,
} from '@palimpsest/testkit';
import { createSession } from '../src/create-session.ts';
import type { SessionEvent } from '../src/events/session-event.ts';
import type { SessionOptions } from '../src/options/session-options.ts';
import type { Session } from '../src/session.ts';

type CompressorInput = Parameters<NonNullable<typeof compressor.options>['~standard']['validate']>[0];

/** The engine "compressor" on a session's host, with a summarizer that answers from a script. */
export function compressorOn(
  host: EngineHost,
  summarizer: ScriptedSummarizer | undefined,
  given: CompressorInput = {},
) {
  const checked = compressor.options!['~standard'].validate(given);
  if (checked instanceof Promise || checked.issues) throw new Error('the options of this test are valid');
  const own = { ...host, summarizer };
  return createEngine(compressorPlanner(checked.value, own), own, { name: 'compressor', stateVersion: 1 });
}

/** The engine "prune-compact" at its defaults on a session's host. */
export function pruneCompactOn(host: EngineHost, summarizer: EngineHost['summarizer']) {
  const checked = pruneCompact.options!['~standard'].validate({});
  if (checked instanceof Promise || checked.issues) throw new Error('the options of this test are valid');
  const own = { ...host, summarizer };
  return createEngine(pruneCompactPlanner(checked.value as never, own), own, { name: 'prune-compact' });
}

export interface TestSession {
  readonly session: Session;
  readonly summarizer: ScriptedSummarizer;
  readonly events: SessionEvent[];
  readonly clock: ManualClock;
}

export interface TestSessionOptions extends Partial<Omit<SessionOptions, 'engine'>> {
  readonly summarizer?: ScriptedSummarizer;
  readonly engineOptions?: CompressorInput;
  readonly engine?: SessionOptions['engine'];
  readonly window?: number;
}

/** A session on the compressor with a window of 8,000 tokens, a clock that stands still, and every event kept. */
export function makeSession(options: TestSessionOptions = {}): TestSession {
  const { summarizer = createScriptedSummarizer(writeShortSummary), engineOptions, window = 8_000, ...rest } = options;
  const events: SessionEvent[] = [];
  const clock = (rest.clock as ManualClock | undefined) ?? manualClock();
  const session = createSession({
    engine: (host) =>
      compressorOn(host, summarizer, { threshold: 0.5, minimumThreshold: 0, ...(engineOptions as object) }),
    model: { id: 'test-model', contextLength: window },
    id: 'session-under-test',
    // The summarizer is the engine's own.
    summaries: 'rules',
    ...rest,
    clock,
    hooks: {
      ...rest.hooks,
      onEvent: (event) => {
        events.push(event);
        rest.hooks?.onEvent?.(event);
      },
    },
  });
  return { session, summarizer, events, clock };
}

/** Text of about so many tokens, different for every seed. */
export function filler(tokens: number, seed: number | string): string {
  const lines: string[] = [];
  for (let line = 0; lines.length * 8 < tokens; line++)
    lines.push(`${seed}:${line} const value_${line} = compute(${line * 7});`);
  return lines.join('\n').slice(0, tokens * 4);
}

/** So many turns of a chat with tools. */
export function turns(count: number): Message[] {
  return Array.from({ length: count }, (_, index) => turn(index)).flat();
}

/** One turn of a chat with tools: a request, a file read, an answer. */
export function turn(index: number, tokens = 200): Message[] {
  return [
    user(`Request ${index}: please look at file ${index} and say what it does.`),
    assistant(null, call(`call_${index}`, 'read_file', { path: `src/file-${index}.ts` })),
    result(`call_${index}`, filler(tokens, index)),
    assistant(`File ${index} computes values.`),
  ];
}
