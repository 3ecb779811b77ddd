import { expect, it } from 'vitest';
import { startLoopbackServer } from '../../../../../test/loopback-server/index.ts';
import type { ProxyEvent } from '../../../src/proxy/events/proxy-event.ts';
import { readTenants } from '../../../src/proxy/tenants/read-tenants.ts';
import { Tenants } from '../../../src/proxy/tenants/tenants.ts';
import { rawConnection } from '../raw-http.ts';
import { runningProxy } from '../running-proxy.ts';
import { tenantsFile } from './tenants-file.ts';

const file = tenantsFile({ small: { tokens: ['small-token'], limits: { requestBytes: 1000 } } });
const head =
  'POST /openai/v1/chat/completions HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer x\r\nX-Palimpsest-Token: small-token\r\n';

it.each([
  ['with its length', 'Content-Length: 300000\r\n\r\n'],
  ['in chunks', 'Transfer-Encoding: chunked\r\n\r\nffffff\r\n'],
])(
  'a client that leaves in the middle of a body %s that is too long is reported once, with its address',
  async (_, text) => {
    const events: ProxyEvent[] = [];
    const server = await startLoopbackServer();
    const tenants = await Tenants.open(() => readTenants(file, {}));
    const { proxy } = await runningProxy(server, { tenants, onEvent: (event) => void events.push(event) });
    const { socket, received } = rawConnection(proxy.port);
    socket.write(`${head}${text}${'x'.repeat(5_000)}`);
    await expect.poll(() => events.length).toBe(1);
    socket.end();
    expect(await received).toContain('request_too_large');
    await proxy.close();
    await server.close();
    expect(events).toEqual([
      { type: 'refused', tenant: 'small', client: '127.0.0.1', status: 413, reason: 'request_too_large' },
    ]);
  },
);
