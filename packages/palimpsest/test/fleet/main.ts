import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
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
 * middle the store is restarted; with `--calm`, none of this happens. Exits with 1 if a conversation was mixed with another,
 * refused, or changed without a compaction while the store was there.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    calm: { type: 'boolean', default: false },
    // How many begin like another one. Those may be compacted once more when they part.
    alike: { type: 'string', default: '0' },
    'at-once': { type: 'string', default: '10' },
    window: { type: 'string', default: '16000' },
    'file-length': { type: 'string' },
  },
});
const [given = '1000', kind = 'redis'] = positionals;
const conversations = Number(given);
const requests = 50;
const window = Number(values.window);
const killEveryMs = 10_000;
const cutMs = 5_000;
/** In which a process tries the store again after it failed, and each conversation gets one state. */
const settleMs = 15_000;
const options = ['--window', String(window), '--summaries', 'rules', '--no-recall', '--log', 'json'];

interface Member {
  readonly program: RunningProgram;
  readonly url: string;
  readonly relay: Relay;
}

/** A line of the log of a proxy. */
interface LogLine {
  readonly time: string;
  readonly event: string;
  readonly addedMs?: number;
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
/** When processes were cut off from the store. Milliseconds. */
const apart: { readonly from: number; to: number }[] = [];
const wasApart = (time: number): boolean => apart.some(({ from, to }) => time >= from && time < to);
let disturbed = Promise.resolve();
const killing = setInterval(() => {
  if (values.calm) return;
  disturbed = disturbed.then(async () => {
    kills++;
    const fresh = await startMember();
    const [killed] = members.splice(kills % 3, 1, fresh);
    end(killed!);
  });
}, killEveryMs);

function disturb(): void {
  if (values.calm) return;
  if (sent === Math.floor(total / 3)) {
    const { relay } = members[0]!;
    relay.cut();
    apart.push({ from: Date.now(), to: Date.now() + cutMs + settleMs });
    setTimeout(() => relay.mend(), cutMs);
  }
  if (sent === Math.floor(total / 2)) disturbed = disturbed.then(restartStore);
}

async function restartStore(): Promise<void> {
  const restart = { from: Date.now(), to: Number.POSITIVE_INFINITY };
  apart.push(restart);
  await store.stop();
  await store.start();
  restart.to = Date.now() + settleMs;
}

const startedAt = performance.now();
const result = await runFleet({
  server,
  window,
  conversations,
  requests,
  alike: Number(values.alike),
  atOnce: Number(values['at-once']),
  ...(values['file-length'] && { fileLength: Number(values['file-length']) }),
  isApart: () => wasApart(Date.now()),
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
    .map((line) => JSON.parse(line) as LogLine),
);
const added = events.flatMap(({ event, addedMs }) => (event === 'request' && addedMs !== undefined ? [addedMs] : []));
added.sort((a, b) => a - b);
const percentile = (share: number): number => Math.round((added[Math.floor(added.length * share)] ?? 0) * 10) / 10;
const countOf = (name: string): number => events.filter(({ event }) => event === name).length;
const changes = result.changes.reduce((sum, one) => sum + one, 0);
const compactions = countOf('compaction');
// An event is written a moment after its request was sent.
const eventDelayMs = 1_000;
const compactionsApart = events.filter(({ event, time }) => {
  const at = Date.parse(time);
  return event === 'compaction' && wasApart(at) && wasApart(at - eventDelayMs);
}).length;
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
    changes,
    changesWhenKilled: result.changesWhenKilled,
    changesApart: result.changesApart,
    compactions,
    compactionsApart,
    storeFailed: countOf('store-failed'),
    p50: percentile(0.5),
    p99: percentile(0.99),
    largestMemoryMB: Math.round(largestMemory / 1e6),
  }),
);
for (const line of [...new Set([...result.mixed, ...result.failures])].slice(0, 5)) console.log(line.slice(0, 300));
// A machine so busy that the store does not answer in time: processes go on without each other.
const isBusy = events.some(({ event, time }) => event === 'store-failed' && !wasApart(Date.parse(time)));
if (isBusy) console.log('The machine was too busy to compare changes with compactions.');
const isGood =
  result.mixed.length + result.refused + result.failures.length === 0 &&
  (isBusy || changes - result.changesWhenKilled - result.changesApart <= compactions - compactionsApart);
process.exitCode = isGood ? 0 : 1;
