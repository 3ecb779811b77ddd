/**
 * LangChain runs the loop, and a middleware gives it a session: every request to the model fits the window.
 *
 *   OPENAI_API_KEY=... npx tsx main.ts "Which files here are examples, and of what?"
 */
import { readdirSync, readFileSync } from 'node:fs';
import { ChatOpenAI } from '@langchain/openai';
import { agentMiddleware } from '@palimpsest/langchain';
import { createRegistry } from '@palimpsest/registry';
import { createSession } from '@palimpsest/session';
import { createAgent, tool } from 'langchain';
import { z } from 'zod';

const model = { id: process.env.MODEL ?? 'gpt-5-mini', contextLength: Number(process.env.CONTEXT_LENGTH ?? 400_000) };
const registry = createRegistry({
  onEvent: (event) => {
    if (event.type === 'compaction-end') console.error(`context: ${event.tokensBefore} -> ${event.tokensAfter} tokens`);
  },
});
const session = createSession({ model, engine: (host) => registry.create({ engine: 'compressor' }, host) });

const schema = z.object({ path: z.string() });
type Input = z.infer<typeof schema>;
const agent = createAgent({
  model: new ChatOpenAI({ model: model.id }),
  systemPrompt: 'You are a coding agent. Look before you answer.',
  tools: [
    tool(({ path }: Input) => readdirSync(path).join('\n'), {
      name: 'list_files',
      description: 'Lists a folder.',
      schema,
    }),
    tool(({ path }: Input) => readFileSync(path, 'utf8'), { name: 'read_file', description: 'Reads a file.', schema }),
  ],
  middleware: [await agentMiddleware(session)],
});
const question = process.argv[2] ?? 'What is in this folder?';
const { messages } = await agent.invoke({ messages: [{ role: 'user', content: question }] }, { recursionLimit: 1_000 });
console.log(messages.at(-1)?.text);
