/**
 * The AI SDK runs the loop, and its provider takes the fetch: every step of `generateText`, `streamText` or an agent goes
 * out as what fits the window.
 *
 *   OPENAI_API_KEY=... npx tsx main.ts "Which files here are examples, and of what?"
 */
import { readdirSync, readFileSync } from 'node:fs';
import { createOpenAI } from '@ai-sdk/openai';
import { createRegistry } from '@palimpsest/registry';
import { createSession } from '@palimpsest/session';
import { contextFetch } from '@palimpsest/session/fetch';
import { generateText, jsonSchema, stepCountIs, tool } from 'ai';

const model = { id: process.env.MODEL ?? 'gpt-5-mini', contextLength: Number(process.env.CONTEXT_LENGTH ?? 400_000) };
const registry = createRegistry({
  onEvent: (event) => {
    if (event.type === 'compaction-end') console.error(`context: ${event.tokensBefore} -> ${event.tokensAfter} tokens`);
  },
});
const session = createSession({ model, engine: (host) => registry.create({ engine: 'compressor' }, host) });
const provider = createOpenAI({ fetch: contextFetch(session) });

const inputSchema = jsonSchema<{ path: string }>({
  type: 'object',
  properties: { path: { type: 'string' } },
  required: ['path'],
});
const { text } = await generateText({
  model: provider.chat(model.id),
  system: 'You are a coding agent. Look before you answer.',
  prompt: process.argv[2] ?? 'What is in this folder?',
  tools: {
    list_files: tool({
      description: 'Lists a folder.',
      inputSchema,
      execute: ({ path }) => readdirSync(path).join('\n'),
    }),
    read_file: tool({ description: 'Reads a file.', inputSchema, execute: ({ path }) => readFileSync(path, 'utf8') }),
  },
  stopWhen: stepCountIs(100),
});
console.log(text);
