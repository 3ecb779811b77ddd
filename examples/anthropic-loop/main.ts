/**
 * The same loop on `@anthropic-ai/sdk`: blocks instead of messages, results inside of user messages, and again a single
 * line that knows of the context window.
 *
 *   ANTHROPIC_API_KEY=... npx tsx main.ts "Which files here are examples, and of what?"
 */
import { readdirSync, readFileSync } from 'node:fs';
import Anthropic from '@anthropic-ai/sdk';
import { createRegistry } from '@palimpsest/registry';
import { createSession } from '@palimpsest/session';
import { contextFetch } from '@palimpsest/session/fetch';

const model = {
  id: process.env.MODEL ?? 'claude-sonnet-4-6',
  contextLength: Number(process.env.CONTEXT_LENGTH ?? 200_000),
};
const registry = createRegistry({
  onEvent: (event) => {
    if (event.type === 'compaction-end') console.error(`context: ${event.tokensBefore} -> ${event.tokensAfter} tokens`);
  },
});
const session = createSession({ model, engine: (host) => registry.create({ engine: 'compressor' }, host) });
const client = new Anthropic({ fetch: contextFetch(session) });

const input: Anthropic.Tool.InputSchema = {
  type: 'object',
  properties: { path: { type: 'string' } },
  required: ['path'],
};
const tools: Anthropic.Tool[] = [
  { name: 'list_files', description: 'Lists a folder.', input_schema: input },
  { name: 'read_file', description: 'Reads a file.', input_schema: input },
];
function runTool({ id, name, input }: Anthropic.ToolUseBlock): Anthropic.ToolResultBlockParam {
  try {
    const { path } = input as { path: string };
    const content = name === 'list_files' ? readdirSync(path).join('\n') : readFileSync(path, 'utf8');
    return { type: 'tool_result', tool_use_id: id, content };
  } catch (error) {
    return { type: 'tool_result', tool_use_id: id, content: String(error), is_error: true };
  }
}

const history: Anthropic.MessageParam[] = [{ role: 'user', content: process.argv[2] ?? 'What is in this folder?' }];
for (;;) {
  const message = await client.messages.create({
    model: model.id,
    max_tokens: 4_096,
    system: 'You are a coding agent. Look before you answer.',
    messages: history,
    tools,
  });
  history.push({ role: 'assistant', content: message.content });
  const calls = message.content.filter((block) => block.type === 'tool_use');
  if (calls.length === 0) {
    for (const block of message.content) if (block.type === 'text') console.log(block.text);
    break;
  }
  history.push({ role: 'user', content: calls.map(runTool) });
}
