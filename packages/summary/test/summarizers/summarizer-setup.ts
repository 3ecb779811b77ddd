import Anthropic from '@anthropic-ai/sdk';
import { agentReader } from '@palimpsest/agents';
import { type ContextEvent, createHost, type EngineHost, type Message, type Summarizer } from '@palimpsest/core';
import { Transcript } from '@palimpsest/core/authoring';
import { assistant, call, type ManualClock, manualClock, quarterCounter, result, user } from '@palimpsest/testkit';
import OpenAI from 'openai';
import type { LoopbackServer } from '../../../../test/loopback-server/index.ts';
import { anthropicSummarizer } from '../../src/summarizers/anthropic.ts';
import { openaiSummarizer } from '../../src/summarizers/openai.ts';
import type { SummaryInput } from '../../src/summary-input.ts';
import { handoffTemplate } from '../../src/template/templates.ts';

/** The ways a summarizer can talk to the loopback server. */
export const wires = ['openai, streaming', 'openai, whole', 'anthropic'] as const;
export type Wire = (typeof wires)[number];

/** A summarizer with a real SDK client, connected to the loopback server. */
export function summarizerOn(
  server: LoopbackServer,
  wire: Wire,
  model: string,
  contextLength?: number,
  timeoutMs?: number,
): Summarizer {
  const apiKey = 'no-secret';
  if (wire === 'anthropic') {
    const client = new Anthropic({ apiKey, baseURL: server.anthropicUrl, logLevel: 'off' });
    return anthropicSummarizer({ model, client, contextLength, timeoutMs });
  }
  const client = new OpenAI({ apiKey, baseURL: server.openaiUrl, logLevel: 'off' });
  return openaiSummarizer({ model, client, contextLength, timeoutMs, stream: wire === 'openai, streaming' });
}

export interface Setting {
  readonly host: EngineHost;
  readonly clock: ManualClock;
  readonly events: readonly ContextEvent[];
}

/** A host with a stopped clock, an auxiliary summarizer and a main one. */
export function setting(parts: {
  readonly summarizer?: Summarizer | undefined;
  readonly fallbackSummarizer?: Summarizer | undefined;
  readonly redact?: ((text: string) => string) | undefined;
}): Setting {
  const clock = manualClock();
  const events: ContextEvent[] = [];
  const host = createHost({
    tokens: quarterCounter,
    reader: agentReader,
    redact: parts.redact ?? ((text) => text),
    clock,
    emit: (event) => events.push(event),
    summarizer: parts.summarizer,
    fallbackSummarizer: parts.fallbackSummarizer,
  });
  return { host, clock, events };
}

/** A session of a few exchanges. `size` multiplies the length of its tool results. */
export function session(size = 40): Message[] {
  const filler = 'The scheduler reads its table before every run.\n'.repeat(size);
  return [
    user('Fix the flaky test in src/scheduler.ts. Never touch the public API.'),
    assistant('I will look at it first.', call('c1', 'read_file', { path: 'src/scheduler.ts' })),
    result('c1', `export const limit = 7431;\n${filler}`),
    assistant('Now the tests.', call('c2', 'bash', { command: 'pnpm vitest run scheduler' })),
    result('c2', `FAIL test/scheduler.test.ts\nError: expected 7431 to be 7430\n${filler}`),
    assistant('The limit is off by one because the table starts at 1.'),
  ];
}

/** The default request of a test: summarize the whole session in 1,000 tokens. */
export function inputFor(messages: readonly Message[], over: Partial<SummaryInput> = {}): SummaryInput {
  return {
    transcript: Transcript.of(messages, quarterCounter, { reader: agentReader }),
    sources: [...messages.keys()],
    previousSummary: null,
    budgetTokens: 1_000,
    engine: 'test',
    effort: 'full',
    abortOnFailure: false,
    ...over,
  };
}

/** A well-formed summary. A section can be replaced, or omitted with `null`. */
export function recordText(over: Readonly<Record<string, string | null>> = {}): string {
  const texts: Record<string, string | null> = {
    'Active Task': 'Fix the flaky test in src/scheduler.ts. Never touch the public API.',
    Goal: 'A scheduler test that passes every time.',
    'Constraints & Preferences': '- Never touch the public API.',
    'Completed Actions': '1. READ src/scheduler.ts - the limit is 7431 [tool: read_file]',
    ...over,
  };
  return handoffTemplate.sections
    .filter(({ heading }) => typeof texts[heading] === 'string')
    .map(({ heading }) => `## ${heading}\n${texts[heading]}`)
    .join('\n\n');
}
