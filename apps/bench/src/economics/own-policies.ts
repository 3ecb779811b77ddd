import type { EngineHost, Message } from '@palimpsest/core';
import {
  cacheLifetimeMs,
  neverCompacted,
  type Policy,
  type PolicyRun,
  type Simulated,
  type SummaryCall,
} from '@palimpsest/eval/measures';
import { createSession } from '@palimpsest/session';
import { estimateTokens } from '@palimpsest/tokens';
import { engines, type OpenEngine, openCompressor } from '../engines/open-engine.ts';
import { standInWriter } from './stand-in-writer.ts';

/** Who writes the summaries. `cached`: the agent's model, from its last request while that is cached. */
type Writer = 'model' | 'cached' | 'rules';

interface OwnOptions {
  readonly recall?: boolean;
  readonly maxTokens?: number | undefined;
}

/** Runs one of our engines behind a session, as an agent would. */
function openOwn(
  { window, now }: Simulated,
  open: OpenEngine,
  writer: Writer,
  { recall = false, maxTokens }: OwnOptions,
): PolicyRun {
  const calls: SummaryCall[] = [];
  let last = { promptTokens: 0, answeredAt: Number.NEGATIVE_INFINITY };
  const summarizer = {
    ...standInWriter,
    summarize: async (request: Parameters<typeof standInWriter.summarize>[0]) => {
      const response = await standInWriter.summarize(request);
      const outputTokens = estimateTokens(response.text);
      const { prompt, instruction } = request;
      const isCached = writer === 'cached' && instruction && now() - last.answeredAt < cacheLifetimeMs;
      const prefixTokens = isCached ? last.promptTokens : 0;
      calls.push({
        inputTokens: prefixTokens + estimateTokens(isCached ? instruction : prompt),
        prefixTokens,
        outputTokens,
      });
      return response;
    },
  };
  const session = createSession({
    engine: (host: EngineHost) => open(host, window),
    summaries: writer === 'rules' ? 'rules' : summarizer,
    model: { id: 'simulated', contextLength: window },
    // Nothing here hangs. Without timers, a slow machine does the same as a fast one.
    clock: { now, schedule: () => () => {} },
    recall,
  });
  return {
    prepare: async (history: readonly Message[]) => {
      const { messages, info } = await session.beforeRequest(history, { maxTokens });
      return { prompt: messages, calls: calls.splice(0), rewrites: info.compactions.length };
    },
    noteAnswer: (usage) => {
      last = { promptTokens: usage.promptTokens, answeredAt: now() };
      session.afterResponse(usage);
    },
    ...(recall
      ? { search: async (names: readonly string[]) => [await session.callTool('recall', { query: names.join(' ') })] }
      : {}),
  };
}

const own = (name: string, rule: string, open: OpenEngine, writer: Writer, options: OwnOptions = {}): Policy => ({
  name,
  rule,
  source: null,
  open: (world) => openOwn(world, open, writer, options),
});

/** The request is never made smaller. Allowed where the conversation fits the window. */
export const never: Policy = { ...neverCompacted, name: 'never' };

/** Only the trigger differs from our engine. */
export const atTheWindow: Policy = own(
  'at the window',
  'the compressor with a threshold of 95 % of the window',
  openCompressor({ threshold: 0.95 }),
  'model',
);

/** The compressor for an agent that can search what was removed. */
const searching = (name: string, rule: string, writer: Writer, tokens?: number): Policy =>
  own(name, rule, tokens ? openCompressor({ threshold: { tokens } }) : engines.compressor, writer, { recall: true });

/** The default engine with the tools of recall: as a session has it, at lower thresholds, and without a model. */
export const searchingPolicies: readonly Policy[] = [
  searching(
    'compressor, from the cached request, recall',
    "what a session does by default: at 100,000 here, the agent's model writes",
    'cached',
  ),
  searching(
    'compressor, threshold 60,000, from the cached request, recall',
    "at 60,000 tokens; the agent's model writes",
    'cached',
    60_000,
  ),
  searching(
    'compressor, threshold 40,000, from the cached request, recall',
    "at 40,000 tokens; the agent's model writes",
    'cached',
    40_000,
  ),
  searching('compressor, no model, recall', 'at its defaults, rules write the handoff', 'rules'),
];

/** Our engines at their defaults. @param maxTokens cap of each answer. @default none */
export function ownPoliciesWith(maxTokens?: number): readonly Policy[] {
  const { compressor, 'prune-compact': pruneCompact } = engines;
  const both = (name: string, rule: string, open: OpenEngine, writer: Writer): Policy =>
    own(name, `at its defaults, ${rule}`, open, writer, { maxTokens });
  return [
    both('compressor', 'a model writes the summary', compressor, 'model'),
    both(
      'compressor, from the cached request',
      "the agent's model writes the summary on its last request while that is cached",
      compressor,
      'cached',
    ),
    both('compressor, no model', 'rules write the handoff', compressor, 'rules'),
    both('prune-compact', 'a model writes the summary', pruneCompact, 'model'),
    both('prune-compact, no model', 'rules write the handoff', pruneCompact, 'rules'),
  ];
}
export const ownPolicies: readonly Policy[] = ownPoliciesWith();
