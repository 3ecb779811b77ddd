import { afterAll, beforeAll, expect, it } from 'vitest';
import { type LoopbackServer, startLoopbackServer } from '../../../../test/loopback-server/index.ts';
import { chatLoop } from './agent-loops.ts';
import { runningProxy } from './running-proxy.ts';
import { scriptedProvider } from './scripted-provider.ts';

let server: LoopbackServer;
beforeAll(async () => {
  server = await startLoopbackServer();
});
afterAll(() => server.close());

it('a request that the provider refuses, although the session expects it to fit, is compacted and repeated', async () => {
  const { log, script } = scriptedProvider(32_000, 70);
  server.play(script);
  const running = await runningProxy(server, { window: 400_000 });
  const history: object[] = [];
  await chatLoop({ ...running, history, task: 'Read all files.' });
  await running.proxy.close();
  expect(log.refused).toHaveLength(1);
  expect(JSON.stringify(history.at(-1))).toContain('All done.');
  expect(server.received.flatMap(({ problems }) => problems)).toEqual([]);
  expect(running.proxy.conversations).toHaveLength(1);
});
