import { type EngineHost, type Message, systemClock } from '@palimpsest/core';
import type { Policy, PolicyRun, Simulated, SummaryCall } from '@palimpsest/eval/measures';
import { createSession, type SessionOptions } from '@palimpsest/session';
import { estimateTokens } from '@palimpsest/tokens';
import { engines, type OpenEngine, openCompressor } from '../engines/open-engine.ts';
import { standInWriter } from './stand-in-writer.ts';

/** Runs one of our engines behind a session, as an agent would. */
function openOwn(
  { window, now }: Simulated,
  open: OpenEngine,
  withModel: boolean,
  options: Partial<SessionOptions>,
): PolicyRun {
  const calls: SummaryCall[] = [];
  const summarizer = {
    ...standInWriter,
    summarize: async (request: Parameters<typeof standInWriter.summarize>[0]) => {
      const response = await standInWriter.summarize(request);
      const inputTokens = estimateTokens(request.prompt);
      calls.push({ inputTokens, prefixTokens: 0, outputTokens: estimateTokens(response.text) });
      return response;
    },
  };
  const session = createSession({
    engine: (host: EngineHost) => open(withModel ? { ...host, summarizer } : host, window),
    model: { id: 'simulated', contextLength: window },
    clock: { ...systemClock, now },
    ...options,
  });
  return {
    prepare: async (history: readonly Message[]) => {
      const { messages, info } = await session.beforeRequest(history);
      return { prompt: messages, calls: calls.splice(0), rewrites: info.compactions.length };
    },
    answered: (usage) => session.afterResponse(usage),
  };
}

const own = (
  name: string,
  rule: string,
  open: OpenEngine,
  withModel: boolean,
  options: Partial<SessionOptions> = {},
): Policy => ({
  name,
  rule,
  source: null,
  open: (world) => openOwn(world, open, withModel, options),
});

/** The request is never made smaller. Allowed where the conversation fits the window. */
export const never: Policy = {
  name: 'never',
  rule: 'nothing is rewritten',
  source: null,
  open: () => ({
    prepare: async (history) => ({ prompt: history, calls: [], rewrites: 0 }),
    answered: () => {},
  }),
};

/** Only the trigger differs from our engine. */
export const atTheWindow: Policy = own(
  'at the window',
  'the compressor with a threshold of 95 % of the window',
  openCompressor({ threshold: 0.95 }),
  true,
);

/** Compacted as soon as the threshold is reached, and at a good moment. The rules write the handoffs. */
export const atThreshold: Policy = own('at the threshold', 'no model', engines.compressor, false);
export const atMoments: Policy = own('at good moments', 'no model', engines.compressor, false, { moments: true });

/** Our engines at their defaults. */
export const ownPolicies: readonly Policy[] = [
  own('compressor', 'at its defaults, a model writes the summary', engines.compressor, true),
  own('compressor, no model', 'at its defaults, rules write the handoff', engines.compressor, false),
  own('prune-compact', 'at its defaults, a model writes the summary', engines['prune-compact'], true),
  own('prune-compact, no model', 'at its defaults, rules write the handoff', engines['prune-compact'], false),
];
