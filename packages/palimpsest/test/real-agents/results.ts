import { readFileSync, writeFileSync } from 'node:fs';
import type { Received } from '../../../../test/loopback-server/index.ts';
import { type RunResult, writeAgentsPage } from './agents-page.ts';
import type { RealAgent } from './known-agents.ts';

const file = new URL('results.json', import.meta.url);

/** The newest result of each kind of run. */
export function readResults(): readonly RunResult[] {
  return JSON.parse(readFileSync(file, 'utf8')) as RunResult[];
}

/** Puts a result in the place of the last one of the same kind, and writes the page. */
export function recordResult(
  { name: program, package: packageName, login }: RealAgent,
  received: readonly Received[],
  run: Pick<RunResult, 'window' | 'engine' | 'rounds' | 'compactions' | 'killed' | 'isGood' | 'refused'>,
): void {
  const result: RunResult = { program, package: packageName, login, api: apiOf(received), ...run };
  const others = readResults().filter((other) => kindOf(other) !== kindOf(result));
  const all = [...others, result].sort((a, b) => kindOf(a).localeCompare(kindOf(b), 'en', { numeric: true }));
  writeFileSync(file, `${JSON.stringify(all, null, 2)}\n`);
  writeAgentsPage(all);
}

/** The kind of a run. A new result replaces the last one of its kind. */
function kindOf({ program, package: version, login, window, engine, killed }: RunResult): string {
  return [program, version, login ?? '', window, engine, killed].join(' ');
}

/** The API of the agent's requests. */
function apiOf(received: readonly Received[]): string {
  const paths = received.map(({ path }) => path).join('\n');
  if (/\/chat\/completions/.test(paths)) return 'Chat Completions';
  if (/\/responses/.test(paths)) return 'Responses';
  if (/\/messages|:(?:r|streamR)awPredict/.test(paths)) return 'Anthropic';
  if (/:(?:g|streamG)enerateContent/.test(paths)) return 'Gemini';
  throw new Error(`No API is known for the requests of the agent:\n${paths.slice(0, 500)}`);
}
