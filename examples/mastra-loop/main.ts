/**
 * Mastra runs the loop, and a processor gives it a session: every prompt fits the window. Needs Node 22.13.
 *
 *   npm install @mastra/core
 *   OPENAI_API_KEY=... npx tsx main.ts "Which files here are examples, and of what?"
 */
import { readdirSync, readFileSync } from 'node:fs';
import { createOpenAI } from '@ai-sdk/openai';
import { Agent } from '@mastra/core/agent';
import { createTool } from '@mastra/core/tools';
import { contextProcessor } from '@palimpsest/mastra';
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

const inputSchema = z.object({ path: z.string() });
type Input = z.infer<typeof inputSchema>;
const agent = new Agent({
  id: 'coder',
  name: 'Coder',
  instructions: 'You are a coding agent. Look before you answer.',
  model: createOpenAI().chat(model.id),
  tools: {
    list_files: createTool({
      id: 'list_files',
      description: 'Lists a folder.',
      inputSchema,
      execute: async ({ path }: Input) => readdirSync(path).join('\n'),
    }),
    read_file: createTool({
      id: 'read_file',
      description: 'Reads a file.',
      inputSchema,
      execute: async ({ path }: Input) => readFileSync(path, 'utf8'),
    }),
  },
  inputProcessors: [contextProcessor(session)],
});
const { steps } = await agent.generate(process.argv[2] ?? 'What is in this folder?', { maxSteps: 100 });
console.log(steps.at(-1)?.text);
