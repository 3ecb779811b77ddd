/**
 * An engine with a tool of its own in a session. The agent works for 60 turns, then opens the summary down to the message
 * with what it needs. No model is called: the agent of this example knows what it would answer.
 *
 *   npx tsx main.ts
 */
import { type Message, readHandoff } from '@palimpsest/core';
import { createEngine } from '@palimpsest/core/authoring';
import { createSession } from '@palimpsest/session';
import { nodesEngine } from './src/engine.ts';

const session = createSession({
  recall: false,
  model: { id: 'local', contextLength: 8_000 },
  engine: (host) => createEngine(nodesEngine(host), host, { name: 'nodes' }),
});
const tools = await session.tools(); // add them to your own tools

const history: Message[] = [{ role: 'system', content: 'You are a coding agent.' }];
for (let turn = 1; turn <= 60; turn++) {
  history.push({ role: 'user', content: `Add the endpoint /v1/items/${turn}, with a test.` });
  const request = await session.beforeRequest(history, { tools });
  const answer = `Added it; its port is ${8_000 + turn * 7}. ${'All of its tests pass. '.repeat(30)}`;
  session.afterResponse({ prompt_tokens: request.info.tokens, completion_tokens: 200 }, request);
  history.push({ role: 'assistant', content: answer });
}
history.push({ role: 'user', content: 'Which port does /v1/items/7 have?' });
const { messages } = await session.beforeRequest(history, { tools });
const handoff = messages.map((message) => readHandoff(message as Message)).find((found) => found !== null)!;
console.log(`${history.length} messages are sent as ${messages.length}, with ${tools.length} tool(s) of the engine.`);

interface Opened {
  readonly nodes?: readonly string[];
  readonly text?: string;
}
/** Opens the node of the list that has message 13, the request for /v1/items/7, until its text is there. */
async function find(nodes: readonly string[]): Promise<string> {
  const found = nodes.flatMap((node) => /\[(\S+)\] messages (\d+) to (\d+)/.exec(node) ?? []);
  for (let at = 0; at < found.length; at += 4) {
    const [id, from, to] = [found[at + 1]!, Number(found[at + 2]), Number(found[at + 3])];
    if (from > 13 || to < 13) continue;
    const opened = JSON.parse(await session.callTool('open_node', { id })) as Opened;
    console.log(`open_node ${id}: ${opened.nodes ? `${opened.nodes.length} nodes` : 'the messages'}`);
    return opened.text ?? find(opened.nodes ?? []);
  }
  return 'nothing';
}
const text = await find(handoff.body.split('\n'));
console.log(/its port is \d+/.exec(text)?.[0] ?? 'not found');
