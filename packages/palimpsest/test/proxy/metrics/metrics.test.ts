import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LoopbackServer, startLoopbackServer } from '../../../../../test/loopback-server/index.ts';
import type { ProxyEvent } from '../../../src/proxy/events/proxy-event.ts';
import { proxyMetrics } from '../../../src/proxy/metrics/proxy-metrics.ts';
import { serveMetrics } from '../../../src/proxy/metrics/serve-metrics.ts';
import { readTenants } from '../../../src/proxy/tenants/read-tenants.ts';
import { Tenants } from '../../../src/proxy/tenants/tenants.ts';
import { chatLoop } from '../agent-loops.ts';
import { clientsOf, runningProxy } from '../running-proxy.ts';
import { scriptedProvider } from '../scripted-provider.ts';
import { tenantsFile } from '../tenants/tenants-file.ts';

let server: LoopbackServer;
beforeAll(async () => {
  server = await startLoopbackServer();
});
afterAll(() => server.close());

const none = { isObserving: false, engine: () => 'compressor', conversations: () => 0, running: () => 0 };

/** The value of a metric with some labels, in the text that Prometheus reads. */
function valueIn(text: string, name: string, ...labels: string[]): number {
  const lines = text.split('\n').filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
  const found = lines.filter((line) => labels.every((label) => line.includes(label)));
  return found.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}

describe('the metrics of a proxy', () => {
  it('count what its tenants sent, saved and were refused', async () => {
    const { script } = scriptedProvider(32_000, 60);
    server.play(script);
    const tenants = await Tenants.open(() =>
      readTenants(tenantsFile({ acme: { tokens: ['acme-token'], keys: { openai: '$KEY' } } }), { KEY: 'test-key' }),
    );
    const { observe, registry } = await proxyMetrics({ ...none, conversations: () => 1 });
    const { proxy } = await runningProxy(server, { tenants, onEvent: observe });
    const { openai, ...others } = clientsOf(proxy.url);
    openai.apiKey = 'acme-token';
    const history: object[] = [];
    await chatLoop({ ...others, openai, history, task: 'Read all files.' });
    await fetch(`${proxy.url}/openai/v1/models`, { headers: { authorization: 'Bearer acme-token' } });
    for (let at = 0; at < 3; at++) await fetch(`${proxy.url}/openai/v1/models`);
    const [conversation] = proxy.conversations;
    const text = await registry.metrics();
    const { sentTokens, savedTokens, requests, compactions } = conversation!;
    const acme = ['tenant="acme"', 'arm="compacted"'];
    expect(valueIn(text, 'palimpsest_requests_total', ...acme, 'upstream="openai"', 'code="200"')).toBe(requests);
    expect(valueIn(text, 'palimpsest_requests_total', 'arm="none"')).toBe(1);
    expect(valueIn(text, 'palimpsest_prompt_tokens_sent_total', ...acme)).toBe(sentTokens);
    expect(valueIn(text, 'palimpsest_prompt_tokens_original_total', ...acme)).toBe(sentTokens + savedTokens);
    expect(compactions.length).toBeGreaterThan(0);
    expect(valueIn(text, 'palimpsest_compactions_total', ...acme, 'writer="rules"')).toBe(compactions.length);
    expect(valueIn(text, 'palimpsest_refusals_total', 'reason="token_invalid"')).toBe(3);
    expect(valueIn(text, 'palimpsest_added_latency_seconds_count')).toBe(requests);
    expect(valueIn(text, 'palimpsest_info', 'engine="compressor"', 'mode="compact"')).toBe(1);
    expect(valueIn(text, 'palimpsest_conversations')).toBe(1);
    expect(valueIn(text, 'process_resident_memory_bytes')).toBeGreaterThan(1e6);
    for (const secret of ['acme-token', 'test-key', conversation!.id, 'Read all files', 'model="m"'])
      expect(text).not.toContain(secret);
    await proxy.close();
  });

  it('tell held-out conversations from the others, in dollars', async () => {
    const { observe, registry } = await proxyMetrics(none);
    const usage = { type: 'usage', tenant: null, sentTokens: 10, originalTokens: 30 } as const;
    const events: ProxyEvent[] = [false, true].map((isHeldOut) => ({
      ...usage,
      conversation: { id: 'x', isHeldOut },
      paidDollars: isHeldOut ? 3 : 1,
      originalDollars: 3,
    }));
    for (const event of [...events, ...events]) observe(event);
    const isUp = async () => valueIn(await registry.metrics(), 'palimpsest_store_up');
    expect(await isUp()).toBe(1);
    observe({ type: 'store-failed', reason: 'the store at localhost failed: it does not answer' });
    expect(await isUp()).toBe(0);
    observe({ type: 'store-back', downMs: 1_000 });
    expect(await isUp()).toBe(1);
    const text = await registry.metrics();
    for (const [arm, paid] of [
      ['compacted', 2],
      ['holdout', 6],
    ] as const) {
      expect(valueIn(text, 'palimpsest_dollars_paid_total', `arm="${arm}"`)).toBe(paid);
      expect(valueIn(text, 'palimpsest_dollars_original_total', `arm="${arm}"`)).toBe(6);
    }
    expect(valueIn(text, 'palimpsest_store_errors_total')).toBe(1);
  });

  it('are served on an address of their own, with the state of the proxy', async () => {
    let isDraining = false;
    const metrics = await proxyMetrics(none);
    const served = await serveMetrics({ host: '127.0.0.1', port: 0 }, metrics, () => isDraining);
    const get = async (path: string): Promise<readonly [number, string]> => {
      const reply = await fetch(`${served.url}${path}`);
      return [reply.status, await reply.text()];
    };
    const [status, text] = await get('/metrics');
    expect([status, text]).toEqual([200, expect.stringContaining('# TYPE palimpsest_requests_total counter')]);
    expect(await get('/other')).toEqual([404, '']);
    expect(await get('/readyz')).toEqual([200, 'ok\n']);
    isDraining = true;
    expect(await get('/readyz')).toEqual([503, 'draining\n']);
    expect(await get('/healthz')).toEqual([200, 'ok\n']);
    served.close();
  });
});
