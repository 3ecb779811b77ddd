import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startLoopbackServer } from '../../../../test/loopback-server/index.ts';
import { startPostgres } from '../../../../test/postgres-server.ts';
import { startRedis } from '../../../../test/redis-server.ts';
import type { RunningProgram } from '../../../../test/running-process.ts';
import { runFleet } from '../program/fleet-run.ts';
import { runningProgram } from '../program/running-program.ts';
import { upstreamsOf } from '../real-agents/agent-run.ts';
import { type Relay, startRelay } from './relay.ts';

/**
 * Runs many conversations over three proxies on one store: `npm run test:fleet -- 1000 redis`. Each request goes to the next
 * proxy. Every ten seconds a proxy is killed, at a third of the time one is cut off from the store for five seconds, and in the
 * middle the store is restarted.
 */
const [given = '1000', kind = 'redis'] = process.argv.slice(2);
const conversations = Number(given);
const requests = 50;
const window = 16_000;
const killEveryMs = 10_000;
const cutMs = 5_000;
const options = ['--window', String(window), '--summaries', 'rules', '--no-recall', '--log', 'json'];

interface Member {
  readonly program: RunningProgram;
  readonly url: string;
  readonly relay: Relay;
}

const folder = mkdtempSync(join(tmpdir(), 'palimpsest-fleet-'));
// PostgreSQL runs as another user.
chmodSync(folder, 0o711);
const server = await startLoopbackServer();
const store = kind === 'redis' ? await startRedis(folder) : await startPostgres(folder);
const logs: string[] = [];
let largestMemory = 0;

async function startMember(): Promise<Member> {
  const relay = await startRelay(store.url);
  const program = runningProgram(['proxy', '--port', '0', ...upstreamsOf(server), ...options, '--store', relay.url], {
    cwd: folder,
  });
  const [, url] = await program.written(/"url":"(http:[^"]+)"/);
  return { program, url: url!, relay };
}

function end({ program, relay }: Member): void {
  const [, kB = '0'] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${program.process.pid}/status`, 'utf8')) ?? [];
  largestMemory = Math.max(largestMemory, Number(kB) * 1_024);
  program.process.kill('SIGKILL');
  logs.push(program.stdout);
  relay.close();
}

const members = await Promise.all([0, 1, 2].map(startMember));
const total = conversations * requests;
let sent = 0;
let kills = 0;
let disturbed = Promise.resolve();
const killing = setInterval(() => {
  disturbed = disturbed.then(async () => {
    kills++;
    const fresh = await startMember();
    const [killed] = members.splice(kills % 3, 1, fresh);
    end(killed!);
  });
}, killEveryMs);

function disturb(): void {
  if (sent === Math.floor(total / 3)) {
    const { relay } = members[0]!;
    relay.cut();
    setTimeout(() => relay.mend(), cutMs);
  }
  if (sent === Math.floor(total / 2) && 'start' in store)
    disturbed = disturbed.then(() => store.stop()).then(() => store.start());
}

const startedAt = performance.now();
const result = await runFleet({
  server,
  window,
  conversations,
  requests,
  next() {
    sent++;
    disturb();
    if (sent % 5_000 === 0)
      console.log(`${sent} of ${total} requests, ${Math.round((performance.now() - startedAt) / 1000)} s`);
    return members[sent % 3]!.url;
  },
});
const seconds = (performance.now() - startedAt) / 1_000;
clearInterval(killing);
await disturbed;
for (const member of members) end(member);
await store.stop();
await server.close();
rmSync(folder, { recursive: true, force: true, maxRetries: 5 });

const events = logs.flatMap((log) =>
  log
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as { readonly event: string; readonly addedMs?: number }),
);
const added = events.flatMap(({ event, addedMs }) => (event === 'request' && addedMs !== undefined ? [addedMs] : []));
added.sort((a, b) => a - b);
const percentile = (share: number): number => Math.round((added[Math.floor(added.length * share)] ?? 0) * 10) / 10;
const countOf = (name: string): number => events.filter(({ event }) => event === name).length;
console.log(
  JSON.stringify({
    store: kind,
    conversations,
    requests: sent,
    seconds: Math.round(seconds),
    perSecond: Math.round(total / seconds),
    kills,
    mixed: result.mixed.length,
    refused: result.refused,
    failures: result.failures.length,
    changes: result.changes.reduce((sum, one) => sum + one, 0),
    compactions: countOf('compaction'),
    storeFailed: countOf('store-failed'),
    p50: percentile(0.5),
    p99: percentile(0.99),
    largestMemoryMB: Math.round(largestMemory / 1e6),
  }),
);
for (const line of [...new Set([...result.mixed, ...result.failures])].slice(0, 5)) console.log(line.slice(0, 300));
