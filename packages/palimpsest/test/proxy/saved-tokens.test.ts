import { recallTools } from '@palimpsest/recall';
import { createTokenCounter } from '@palimpsest/tokens';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contextWindow, type LoopbackServer, startLoopbackServer } from '../../../../test/loopback-server/index.ts';
import type { ConversationStats } from '../../src/conversations/conversation-stats.ts';
import type { ProxyOptions } from '../../src/proxy/proxy-options.ts';
import type { AgentLoop } from './agent-loops.ts';
import { allLoops } from './all-loops.ts';
import { runningProxy } from './running-proxy.ts';
import { type ProviderLog, scriptedProvider } from './scripted-provider.ts';

let server: LoopbackServer;
beforeAll(async () => {
  server = await startLoopbackServer();
});
afterAll(() => server.close());

const rounds = 40;
const window = 16_000;
const sum = ({ prompts }: ProviderLog): number => prompts.reduce((total, { tokens }) => total + tokens, 0);

const recallTokens = createTokenCounter().countRequest({ messages: [], tools: recallTools });

/** What the provider counted, and what the proxy tells. */
interface Figures {
  readonly counted: number;
  readonly requests: number;
  readonly stats: ConversationStats;
  /** What the live view says. Tokens. */
  readonly left: number;
  readonly handoff: number;
}

/** Runs an agent. With recall, the model searches before every fourth answer. */
async function figures(loop: AgentLoop, options: Partial<ProxyOptions>): Promise<Figures> {
  const windowTokens = options.window ?? window;
  const { log, script } = scriptedProvider(windowTokens, rounds);
  const judge = contextWindow(windowTokens);
  let searches = 0;
  server.play((request) => {
    const isOffered = JSON.stringify(request.body.tools ?? request.body.toolConfig).includes('"recall"');
    if (!isOffered || searches > log.prompts.length / 4) return script(request);
    searches++;
    const { promptTokens, cachedTokens } = judge(request);
    log.prompts.push({ tokens: promptTokens, cachedTokens });
    const call = { id: `recall_${searches}`, name: 'recall', arguments: '{"query":"file-3 value7"}' };
    return { kind: 'answer', text: '', calls: [call], promptTokens, cachedTokens, completionTokens: 10 };
  });
  const running = await runningProxy(server, { window, ...options });
  await loop({ ...running, history: [], task: 'Read all files.' });
  const [stats] = running.proxy.conversations;
  const page = await (await fetch(`${running.proxy.url}/live/${stats!.id}`)).text();
  await running.proxy.close();
  expect(log.refused).toEqual([]);
  const figure = (pattern: RegExp): number => Number((pattern.exec(page) ?? ['', '0'])[1]!.replaceAll(',', ''));
  const left = figure(/([\d,]+) tokens of [\d,]+ messages left the context/);
  const handoff = figure(/handoff, ([\d,]+) tokens/);
  return { counted: sum(log), requests: log.prompts.length, stats: stats!, left, handoff };
}

/** Both, if the first is not within a share of the second. */
const differing = (value: number, expected: number, share = 0.03): readonly number[] | null =>
  Math.abs(value - expected) <= expected * share ? null : [value, expected];

describe.each(Object.entries(allLoops))('the figures of a conversation on %s', (_, loop) => {
  it('are those of the provider: what was sent, and what the agent would have sent', { timeout: 180_000 }, async () => {
    const whole = await figures(loop, { window: 1_000_000, recall: false });
    expect(whole.requests).toBe(rounds + 1);
    for (const recall of [false, true]) {
      const { counted, requests, stats, left, handoff } = await figures(loop, { recall });
      const { compactions, savedTokens, sentTokens } = stats;
      expect(compactions.length).toBeGreaterThan(1);
      expect(requests > rounds + 5).toBe(recall);
      expect(differing(sentTokens, counted)).toBeNull();
      expect(differing(sentTokens + savedTokens, whole.counted)).toBeNull();
      const { tokens, originalTokens } = stats.sizes.at(-1)!;
      // What left the context is what is not sent, and what was added instead. The newest searches are still there.
      const added = handoff + (recall ? recallTokens : 0);
      expect(differing(tokens + left - added, originalTokens, recall ? 0.06 : 0.03)).toBeNull();
    }
  });
});
