import { mkdirSync, writeFileSync } from 'node:fs';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { problemsOf } from './check.ts';
import { type RecordedMessage, type Recording, recordingJson } from './recording.ts';
import type { Scenario } from './scenario.ts';
import { scenarios } from './scenarios/index.ts';
import { Session } from './session.ts';
import { Workspace } from './workspace.ts';

// Usage: tsx recorder/main.ts [--keep] [id ...]
// Records all scenarios, or those with the given ids, and writes ../samples/<id>.json. --keep keeps their folders.

const SAMPLES = new URL('../samples/', import.meta.url);

async function record(scenario: Scenario, keep: boolean): Promise<Recording> {
  const workspace = new Workspace(scenario.project, scenario.startedAt);
  const session = new Session(scenario.id, scenario.tools, workspace);
  try {
    await scenario.prepare(workspace);
    await scenario.play(session);
  } finally {
    if (keep) console.log(`${scenario.id}: kept ${workspace.project}`);
    else workspace.remove();
  }
  return {
    id: scenario.id,
    title: scenario.title,
    description: scenario.description,
    madeBy: `apps/compare/recorder (scenario ${scenario.id}), Node ${process.versions.node.split('.')[0]}`,
    messages: session.messages,
    tools: session.offered,
  };
}

function measure({ id, messages }: Recording, bytes: number): string {
  const calls = messages.map((message) => (message.role === 'assistant' ? (message.tool_calls?.length ?? 0) : 0));
  const tokens = messages.reduce((sum, message) => sum + countTokens(textOf(message)), 0);
  const figures = {
    tokens,
    messages: messages.length,
    requests: messages.filter((message) => message.role === 'user').length,
    rounds: calls.filter((count) => count > 0).length,
    parallel: calls.filter((count) => count > 1).length,
    calls: calls.reduce((sum, count) => sum + count, 0),
    failed: messages.filter((message) => message.role === 'tool' && isFailure(message.content)).length,
    kB: Math.round(bytes / 1000),
  };
  return `${id.padEnd(22)} ${Object.entries(figures)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ')}`;
}

/** The text that a model reads of a message, without what a provider adds. */
function textOf(message: RecordedMessage): string {
  const calls = message.role === 'assistant' ? (message.tool_calls ?? []) : [];
  const called = calls.map((call) => `${call.function.name}${call.function.arguments}`);
  return [message.content ?? '', ...called].join('\n');
}

function isFailure(result: string): boolean {
  return /^Error: |\n?Exit code: \d+$|timed out after \d+ ms$|"exit_code":(?:[1-9]|null)/.test(result);
}

const named = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const unknown = named.filter((id) => !scenarios.some((scenario) => scenario.id === id));
if (unknown.length > 0) {
  console.error(`unknown scenario: ${unknown.join(', ')}. Known: ${scenarios.map(({ id }) => id).join(', ')}`);
  process.exit(2);
}
mkdirSync(SAMPLES, { recursive: true });
let hasProblems = false;
for (const scenario of scenarios) {
  if (named.length > 0 && !named.includes(scenario.id)) continue;
  const recording = await record(scenario, process.argv.includes('--keep'));
  const problems = problemsOf(recording);
  const json = recordingJson(recording);
  console.log(measure(recording, Buffer.byteLength(json)));
  for (const problem of problems) console.error(`  ${problem}`);
  if (problems.length === 0) writeFileSync(new URL(`${scenario.id}.json`, SAMPLES), json);
  else hasProblems = true;
}
if (hasProblems) process.exitCode = 1;
