/**
 * An agent loop on OpenAI's Responses that uses the provider's own compaction: it is sent in front of the handoff, which can
 * move to any other provider.
 *
 *   OPENAI_API_KEY=... npx tsx main.ts "Which files here are examples, and of what?"
 */
import { readdirSync, readFileSync } from 'node:fs';
import { compressor } from '@palimpsest/compressor';
import { nativeCompaction, nativeEngine } from '@palimpsest/native';
import { createRegistry } from '@palimpsest/registry';
import { createSession } from '@palimpsest/session';
import { contextFetch } from '@palimpsest/session/fetch';
import OpenAI from 'openai';

const model = { id: process.env.MODEL ?? 'gpt-5-mini', contextLength: Number(process.env.CONTEXT_LENGTH ?? 400_000) };
const registry = createRegistry({
  plugins: [nativeEngine(compressor)],
  onEvent: (event) => {
    if (event.type === 'compaction-end') console.error(`context: ${event.tokensBefore} -> ${event.tokensAfter} tokens`);
  },
});
const session = createSession({ model, engine: (host) => registry.create({ engine: 'native' }, host) });
const native = nativeCompaction({ onEvent: (event) => console.error(`provider: ${event.type}`) });
const client = new OpenAI({ fetch: contextFetch(session, { native }) });

const parameters = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] };
const tools: OpenAI.Responses.FunctionTool[] = [
  { type: 'function', name: 'list_files', description: 'Lists a folder.', parameters, strict: false },
  { type: 'function', name: 'read_file', description: 'Reads a file.', parameters, strict: false },
];
function runTool(name: string, json: string): string {
  try {
    const { path } = JSON.parse(json) as { path: string };
    return name === 'list_files' ? readdirSync(path).join('\n') : readFileSync(path, 'utf8');
  } catch (error) {
    return String(error);
  }
}

const instructions = 'You are a coding agent. Look before you answer.';
const input: OpenAI.Responses.ResponseInputItem[] = [
  { role: 'user', content: process.argv[2] ?? 'What is in this folder?' },
];
for (;;) {
  const answer = await client.responses.create({ model: model.id, instructions, input, tools, store: false });
  input.push(...(answer.output as OpenAI.Responses.ResponseInputItem[]));
  const calls = answer.output.filter((item) => item.type === 'function_call');
  for (const { call_id, name, arguments: json } of calls)
    input.push({ type: 'function_call_output', call_id, output: runTool(name, json) });
  if (calls.length === 0) {
    console.log(answer.output_text);
    break;
  }
}
