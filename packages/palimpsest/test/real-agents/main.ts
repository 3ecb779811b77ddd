import { fileURLToPath } from 'node:url';
import type { InstalledAgent } from './agent-run.ts';
import { installedWithNode } from './install.ts';
import { packed } from './install-packed.ts';
import { isGoodKilledRun } from './killed-proxy-run.ts';
import { agentsNotTried, otherLogins, realAgents } from './known-agents.ts';
import { isGoodMcpRun } from './mcp-run.ts';
import { startPackedRegistry } from './packed-registry.ts';
import { isGoodPackedRun } from './packed-run.ts';
import { isGoodPairRun } from './pair-run.ts';
import { pluginAgents } from './plugin-agents.ts';
import { isGoodPluginRun } from './plugin-run.ts';
import { writeTranscripts } from './transcripts.ts';
import { windowRuns } from './window-runs.ts';

/**
 * Runs real agents behind the proxy, against a strict provider on this machine: `npm run test:agents`, with names of agents,
 * windows or parts (`windows`, `logins`, `mcp`, `killed`, `packed`, `pairs`, `plugins`) to run only these. Results go to results.json and docs/agents.md; `transcripts` writes docs/agent-runs.md. Installs them from npm into a cache folder (a gigabyte). Needs no key.
 */
const cache = fileURLToPath(new URL('../../node_modules/.cache/real-agents', import.meta.url));
const parts = ['windows', 'logins', 'mcp', 'killed', 'packed', 'pairs', 'plugins', 'transcripts'];

const given = process.argv.slice(2);
const windows = given.map(Number).filter(Boolean);
const wanted = (names: readonly string[], name: string): boolean =>
  given.includes(name) || !given.some((one) => names.includes(one));

const names = [...realAgents, ...pluginAgents].map(({ name }) => name);
const agents: InstalledAgent[] = [];
if (parts.some((part) => part !== 'plugins' && part !== 'logins' && wanted(parts, part)))
  for (const agent of realAgents) {
    if (!wanted(names, agent.name)) continue;
    const ready = await orSkipped(agent.package, installedWithNode(agent, cache));
    if (ready) agents.push(ready);
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
if (wanted(parts, 'logins'))
  for (const agent of otherLogins) {
    if (!wanted(names, agent.name)) continue;
    const ready = await orSkipped(agent.package, installedWithNode(agent, cache));
    if (ready) failures += await windowRuns(ready, windows);
  }
// Each agent with itself, and with the next one.
for (const [at, agent] of agents.entries())
  for (const other of new Set([agent, agents[at + 1] ?? agent]))
    if (wanted(parts, 'pairs')) count(await isGoodPairRun([agent, other]));
if (wanted(parts, 'plugins')) {
  const chosen = pluginAgents.filter(({ name }) => wanted(names, name));
  const folders = chosen.map(({ plugin }) => plugin.slice('@palimpsest/'.length));
  const registry = await startPackedRegistry(await packed([...new Set(folders)]));
  for (const agent of chosen) {
    const ready = await orSkipped(agent.package, installedWithNode(agent, cache));
    if (ready) count(await isGoodPluginRun(ready, registry.url));
  }
  registry.close();
}
if (given.includes('transcripts')) count(await writeTranscripts(agents));
for (const [name, reason] of Object.entries(agentsNotTried)) console.log(`not in this test: ${name} (${reason})`);
process.exitCode = failures > 0 ? 1 : 0;

/** Reports an agent that npm cannot install. */
async function orSkipped<Result>(name: string, installing: Promise<Result>): Promise<Result | null> {
  try {
    return await installing;
  } catch (error) {
    console.log(`skipped ${name}: npm could not install it (${String(error).slice(0, 200)})`);
    return null;
  }
}
