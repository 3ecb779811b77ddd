import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FakeListChatModel } from '@langchain/core/utils/testing';
import { createFilesystemMiddleware, createSummarizationMiddleware, FilesystemBackend } from 'deepagents';
import { AIMessage, HumanMessage, ToolMessage } from 'langchain';
import { langChainWriter } from '../langchain-messages.mjs';
import { largestFitting, serve, tokensLeft } from '../serve.mjs';

// The default. Of 20000, 2000 and 500, this kept about the most facts on the development half.
const toolTokenLimitBeforeEvict = 20_000;
const toLangChain = langChainWriter({ AIMessage, HumanMessage, ToolMessage });
const folder = mkdtempSync(join(tmpdir(), 'bench-deepagents-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
process.on('SIGTERM', () => process.exit());

let grep;
let calls = 0;

// Large results become files when they arrive. What is still too long becomes a file too, oldest messages first; the
// summary that a model would write in its place is left out.
serve(
  async (messages, budgetTokens, tokens) => {
    const rootDir = join(folder, String(calls++));
    const backend = new FilesystemBackend({ rootDir, virtualMode: true });
    const files = createFilesystemMiddleware({ backend, toolTokenLimitBeforeEvict });
    grep = files.tools.find(({ name }) => name === 'grep');
    const history = messages.map(toLangChain);
    const left = [...tokens];
    const shortened = new Map();
    for (const [index, message] of history.entries()) {
      if (!ToolMessage.isInstance(message)) continue;
      const request = { toolCall: { name: message.name, id: `${index}` }, runtime: {}, state: {} };
      const result = await files.wrapToolCall(request, async () => message);
      if (result === message) continue;
      history[index] = result;
      shortened.set(index, { ...messages[index], content: result.content });
      left[index] = tokensLeft(messages[index], shortened.get(index), tokens[index]);
    }
    const sizeFrom = (from) => left.slice(from).reduce((total, size) => total + size, 0);
    if (sizeFrom(0) <= budgetTokens) return history.map((_, index) => shortened.get(index) ?? index);

    const noticeTokens = 100;
    const keep = await largestFitting(
      messages.length,
      (count) => sizeFrom(messages.length - count) + noticeTokens <= budgetTokens,
    );
    const summaries = createSummarizationMiddleware({
      model: new FakeListChatModel({ responses: ['Left out.'] }),
      backend,
      trigger: { type: 'messages', value: 1 },
      keep: { type: 'messages', value: Math.max(1, keep) },
    });
    let shown = history;
    await summaries.wrapModelCall({ messages: history, state: {}, tools: [], runtime: {} }, async (request) => {
      shown = request.messages;
      return new AIMessage('');
    });
    return shown.map(({ id, content }) =>
      id === undefined ? { role: 'user', content } : (shortened.get(Number(id)) ?? Number(id)),
    );
  },
  // The tool searches all files for one string, and gives the lines that have it.
  async (names) => {
    const answers = [];
    for (const pattern of names) answers.push(await grep.invoke({ pattern, path: '/' }));
    return answers;
  },
);
