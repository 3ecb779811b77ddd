import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startLoopbackServer } from '../../../../test/loopback-server/index.ts';
import { runningProgram } from '../program/running-program.ts';
import { installed } from './install.ts';
import { type RealAgent, realAgents } from './known-agents.ts';
import { toolProvider } from './tool-provider.ts';

/**
 * Runs real agents behind the proxy, against a strict provider on this machine: `npm run test:agents`, with names of agents
 * or windows to run only these. Installs them from npm into a cache folder (a gigabyte). Needs no key.
 */
const cache = fileURLToPath(new URL('../../node_modules/.cache/real-agents', import.meta.url));
const rounds = 100;
const longestMs = 600_000;

/** What the proxy is started with. */
interface Setting {
  readonly window: number;
  readonly engine: string;
  readonly recall: boolean;
}

const engines = ['compressor', 'prune-compact'];
const settings: readonly Setting[] = [
  ...[32_000, 64_000, 200_000].flatMap((window) => engines.map((engine) => ({ window, engine, recall: false }))),
  ...engines.map((engine) => ({ window: 32_000, engine, recall: true })),
];

async function runOnce(agent: RealAgent, program: string, setting: Setting): Promise<boolean> {
  const { window, engine, recall } = setting;
  const { log, script } = toolProvider(window, rounds);
  const server = await startLoopbackServer(script);
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-agent-'));
  const [home, cwd] = [join(folder, 'home'), join(folder, 'work')];
  for (const path of [home, cwd]) mkdirSync(path);
  const upstreams = ['--openai', server.openaiUrl, '--anthropic', server.anthropicUrl];
  const options = ['--window', String(window), '--engine', engine, ...(recall ? ['--recall'] : []), ...upstreams];
  const keys = { OPENAI_API_KEY: 'test-key', ANTHROPIC_API_KEY: 'test-key' };
  const running = runningProgram(['run', ...options, '--', program, ...agent.arguments('Run the checks.')], {
    cwd,
    env: { HOME: home, ...keys, ...agent.env(home) },
  });
  const timer = setTimeout(() => running.process.kill('SIGKILL'), longestMs);
  const ended = await running.ended;
  clearTimeout(timer);
  const problems = server.received.flatMap((request) => request.problems);
  await server.close();
  rmSync(folder, { recursive: true, force: true });
  const [, compactions = '0'] = /(\d+) compactions? in/.exec(running.stderr) ?? [];
  const isDone = ended === 0 && log.rounds === rounds && running.stdout.includes('All done.');
  const isGood = isDone && log.refused === 0 && problems.length === 0 && log.cold <= Number(compactions);
  console.log(
    [
      isGood ? 'ok    ' : 'FAILED',
      `${agent.package}, window ${window}, ${engine}${recall ? ', recall' : ''}:`,
      `${log.rounds} rounds, ${server.received.length} requests, ${log.refused} refused, ${problems.length} invalid,`,
      `${log.searches} searches, ${compactions} compactions, ${log.cold} cold prompts, largest ${log.largest} tokens, exit ${ended}`,
    ].join(' '),
  );
  console.log(`       ${running.stderr.trim().split('\n').at(-1)}`);
  if (!isGood) console.log([...new Set(problems)].slice(0, 3).join('\n'), running.stderr.slice(-1_000));
  return isGood;
}

const wanted = process.argv.slice(2).filter((argument) => !/^\d+$/.test(argument));
const windows = process.argv.slice(2).map(Number).filter(Boolean);
const chosen = settings.filter(({ window }) => windows.length === 0 || windows.includes(window));
let failures = 0;
for (const agent of realAgents) {
  if (wanted.length > 0 && !wanted.includes(agent.name)) continue;
  let program: string;
  try {
    program = await installed(agent, cache);
  } catch (error) {
    console.log(`skipped ${agent.package}: npm could not install it (${String(error).slice(0, 200)})`);
    continue;
  }
  for (const setting of chosen) if (!(await runOnce(agent, program, setting))) failures++;
}
console.log('not in this test: aider (from PyPI, not npm), Gemini CLI (its request format is not supported)');
process.exitCode = failures > 0 ? 1 : 0;
