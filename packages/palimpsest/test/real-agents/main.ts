import { fileURLToPath } from 'node:url';
import type { InstalledAgent } from './agent-run.ts';
import { installed } from './install.ts';
import { isGoodKilledRun } from './killed-proxy-run.ts';
import { realAgents } from './known-agents.ts';
import { isGoodMcpRun } from './mcp-run.ts';
import { isGoodPackedRun } from './packed-run.ts';
import { isGoodPairRun } from './pair-run.ts';
import { writeTranscripts } from './transcripts.ts';
import { windowRuns } from './window-runs.ts';

/**
 * Runs real agents behind the proxy, against a strict provider on this machine: `npm run test:agents`, with names of agents,
 * windows or parts (`windows`, `mcp`, `killed`, `packed`, `pairs`) to run only these. `transcripts` writes docs/agent-runs.md. Installs them from npm into a cache folder (a gigabyte). Needs no key.
 */
const cache = fileURLToPath(new URL('../../node_modules/.cache/real-agents', import.meta.url));
const parts = ['windows', 'mcp', 'killed', 'packed', 'pairs', 'transcripts'];

const given = process.argv.slice(2);
const windows = given.map(Number).filter(Boolean);
const wanted = (names: readonly string[], name: string): boolean =>
  given.includes(name) || !given.some((one) => names.includes(one));

const agents: InstalledAgent[] = [];
for (const agent of realAgents) {
  const names = realAgents.map(({ name }) => name);
  if (!wanted(names, agent.name)) continue;
  try {
    agents.push({ ...agent, program: await installed(agent, cache) });
  } catch (error) {
    console.log(`skipped ${agent.package}: npm could not install it (${String(error).slice(0, 200)})`);
  }
}
let failures = 0;
const count = (isGood: boolean): void => {
  if (!isGood) failures++;
};
for (const agent of agents) {
  if (wanted(parts, 'mcp')) count(await isGoodMcpRun(agent));
  if (wanted(parts, 'killed')) count(await isGoodKilledRun(agent));
  if (wanted(parts, 'packed')) count(await isGoodPackedRun(agent));
  if (wanted(parts, 'windows')) failures += await windowRuns(agent, windows);
}
// Each agent with itself, and with the next one.
for (const [at, agent] of agents.entries())
  for (const other of new Set([agent, agents[at + 1] ?? agent]))
    if (wanted(parts, 'pairs')) count(await isGoodPairRun([agent, other]));
if (given.includes('transcripts')) count(await writeTranscripts(agents));
console.log('not in this test: aider (from PyPI, not npm), Gemini CLI (its request format is not supported)');
process.exitCode = failures > 0 ? 1 : 0;
