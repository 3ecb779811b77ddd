import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { fileStore } from '../../src/persistence/file-store.ts';
import { agentSession } from './agent-session.ts';
import { openaiLoop } from './loops.ts';

/** An agent that can be killed: its history is a file, and so is the state of its session. */
const [baseURL, folder, packages, requests, tools] = process.argv.slice(2) as [string, string, string, string, string?];
const file = `${folder}/history.jsonl`;
const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
const history = lines.filter((line) => line !== '').map((line) => JSON.parse(line) as object);
const store = fileStore(`${folder}/state`);
const recall = tools === 'recall';
const session = agentSession([], store, 'agent', recall);
await openaiLoop({
  baseURL,
  session,
  recall,
  requests: Number(requests),
  notes: `${folder}/notes`,
  root: packages,
  history,
  appended: (message) => appendFileSync(file, `${JSON.stringify(message)}\n`),
});
await session.end();
console.log(JSON.stringify(session.records().map(({ number }) => number)));
