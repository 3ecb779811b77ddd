/**
 * The OpenAI Agents SDK runs the loop, and its models get a session: every request of every agent fits the window.
 *
 *   OPENAI_API_KEY=... npx tsx main.ts "Which files here are examples, and of what?"
 */
import { readdirSync, readFileSync } from 'node:fs';
import { Agent, OpenAIProvider, Runner, tool } from '@openai/agents';
import { contextModelProvider } from '@palimpsest/openai-agents';
import { createRegistry } from '@palimpsest/registry';
import { createSession } from '@palimpsest/session';
import { z } from 'zod';

const model = { id: process.env.MODEL ?? 'gpt-5-mini', contextLength: Number(process.env.CONTEXT_LENGTH ?? 400_000) };
const registry = createRegistry({
  onEvent: (event) => {
    if (event.type === 'compaction-end') console.error(`context: ${event.tokensBefore} -> ${event.tokensAfter} tokens`);
  },
});
const session = createSession({ model, engine: (host) => registry.create({ engine: 'compressor' }, host) });

const parameters = z.object({ path: z.string() });
const agent = new Agent({
  name: 'Coder',
  instructions: 'You are a coding agent. Look before you answer.',
  model: model.id,
  tools: [
    tool({
      name: 'list_files',
      description: 'Lists a folder.',
      parameters,
      execute: ({ path }) => readdirSync(path).join('\n'),
    }),
    tool({
      name: 'read_file',
      description: 'Reads a file.',
      parameters,
      execute: ({ path }) => readFileSync(path, 'utf8'),
    }),
  ],
});
const modelProvider = contextModelProvider(session, new OpenAIProvider());
const runner = new Runner({ modelProvider, tracingDisabled: true });
const { finalOutput } = await runner.run(agent, process.argv[2] ?? 'What is in this folder?', { maxTurns: 100 });
console.log(finalOutput);
