/** One function in a loop of your own: old tool output shrinks to what it said, everything else stays as it is. */
import { readFileSync } from 'node:fs';
import type { Message } from '@palimpsest/core';
import { prune } from '@palimpsest/pruner';

/** What an agent's history looks like after it has read some files and run a command. */
const history: Message[] = [{ role: 'user', content: 'Which scripts does this package have?' }];
const ran = (name: string, input: object, output: string): void => {
  const id = `call_${history.length}`;
  history.push(
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id, type: 'function', function: { name, arguments: JSON.stringify(input) } }],
    },
    { role: 'tool', tool_call_id: id, content: output },
  );
};
const manifest = readFileSync('package.json', 'utf8');
const program = readFileSync('main.ts', 'utf8');
ran('read_file', { path: 'package.json' }, manifest);
ran('read_file', { path: 'main.ts' }, program);
ran('bash', { command: 'npm start' }, `Exit code 1\n${'npm error: missing script\n'.repeat(40)}`);
ran('read_file', { path: 'main.ts' }, program);
history.push({ role: 'assistant', content: 'It has one: start.' }, { role: 'user', content: 'Thanks. Run it.' });

// Before each request. The figures are small because the example is; the defaults fit real sessions.
const { messages, report } = prune(history, { protect: { tokens: 100 }, keepTurns: 0, minimum: 100 });

console.log(report.message);
for (const [at, message] of messages.entries())
  if (message !== history[at]) console.log(`${at}  ${JSON.stringify(message.content)}`);
