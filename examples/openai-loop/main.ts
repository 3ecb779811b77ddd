/**
 * An agent loop on the `openai` client that outlives its context window. The only line that knows of it is the one with
 * `contextFetch`: the loop keeps its whole history, and what is sent is a projection of it that fits.
 *
 *   OPENAI_API_KEY=... npx tsx main.ts "Which files here are examples, and of what?"
 */
import { readdirSync, readFileSync } from 'node:fs';
import { createRegistry } from '@palimpsest/registry';
import { createSession } from '@palimpsest/session';
import { contextFetch } from '@palimpsest/session/fetch';
import OpenAI from 'openai';

const model = { id: process.env.MODEL ?? 'gpt-5-mini', contextLength: Number(process.env.CONTEXT_LENGTH ?? 400_000) };
const registry = createRegistry({
  onEvent: (event) => {
    if (event.type === 'compaction-end') console.error(`context: ${event.tokensBefore} -> ${event.tokensAfter} tokens`);
  },
});
const session = createSession({ model, engine: (host) => registry.create({ engine: 'compressor' }, host) });
const client = new OpenAI({ fetch: contextFetch(session) });

const text = { type: 'string' };
const tools: OpenAI.ChatCompletionTool[] = [
  { type: 'function', function: { name: 'list_files', description: 'Lists a folder.', parameters: parameters() } },
  { type: 'function', function: { name: 'read_file', description: 'Reads a file.', parameters: parameters() } },
];
function parameters(): Record<string, unknown> {
  return { type: 'object', properties: { path: text }, required: ['path'] };
}
function runTool(name: string, json: string): string {
  try {
    const { path } = JSON.parse(json) as { path: string };
    return name === 'list_files' ? readdirSync(path).join('\n') : readFileSync(path, 'utf8');
  } catch (error) {
    return String(error);
  }
}

const history: OpenAI.ChatCompletionMessageParam[] = [
  { role: 'system', content: 'You are a coding agent. Look before you answer.' },
  { role: 'user', content: process.argv[2] ?? 'What is in this folder?' },
];
for (;;) {
  const { choices } = await client.chat.completions.create({ model: model.id, messages: history, tools });
  const { message } = choices[0]!;
  history.push(message);
  for (const call of message.tool_calls ?? [])
    if (call.type === 'function')
      history.push({
        role: 'tool',
        tool_call_id: call.id,
        content: runTool(call.function.name, call.function.arguments),
      });
  if (!message.tool_calls?.length) {
    console.log(message.content);
    break;
  }
}
