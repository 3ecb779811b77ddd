import { createOpenAI } from '@ai-sdk/openai';
import { generateText, type ModelMessage, stepCountIs, tool } from 'ai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type Behaviour, type LoopbackServer, startLoopbackServer } from '../../../../test/loopback-server/index.ts';
import { contextStep } from '../../src/ai-sdk.ts';
import { contextFetch } from '../../src/fetch.ts';
import type { Session } from '../../src/session.ts';
import { allResponseMessages } from '../agent/response-messages.ts';
import { filler, makeSession } from '../make-session.ts';

globalThis.AI_SDK_LOG_WARNINGS = false;

let server: LoopbackServer;
beforeAll(async () => {
  server = await startLoopbackServer();
});
afterAll(() => server.close());

const system = 'You are a coding agent.';
const tools = {
  read_file: tool({
    description: 'Reads a file.',
    inputSchema: z.object({ path: z.string() }),
    execute: ({ path }) => filler(60, path),
  }),
};

/** Thinks before every answer: tool calls, some behind a text, and every tenth time a text alone. */
function thinkingModel(_: unknown, number: number): Behaviour {
  const thought = { kind: 'answer', reasoning: `I think about step ${number}.`, promptTokens: 0 } as const;
  if (number % 10 === 9) return { ...thought, text: `Part ${number} is done.` };
  const call = { id: `call_${number}`, name: 'read_file', arguments: `{"path":"src/${number}.ts"}` };
  return { ...thought, text: number % 3 === 0 ? `I read file ${number}.` : '', calls: [call] };
}

/** An agent that lets the provider store its answers, which is the default of the AI SDK. */
async function converse(session: Session, requests: number, behind: 'contextStep' | 'contextFetch'): Promise<void> {
  const fetch = behind === 'contextFetch' ? { fetch: contextFetch(session) } : {};
  const model = createOpenAI({ apiKey: 'test', baseURL: server.openaiUrl, ...fetch }).responses('m');
  const messages: ModelMessage[] = [];
  for (let request = 1; request <= requests; request++) {
    messages.push({ role: 'user', content: `Request ${request}: read the next files.` });
    const result = await generateText({
      model,
      system,
      tools,
      messages,
      maxRetries: 0,
      stopWhen: stepCountIs(20),
      providerOptions: { openai: { forceReasoning: true } },
      ...(behind === 'contextStep' ? { prepareStep: contextStep(session) } : {}),
    });
    messages.push(...allResponseMessages(result));
  }
}

describe.each(['contextStep', 'contextFetch'] as const)('a reasoning model with stored answers behind %s', (behind) => {
  it('never receives reasoning without the item that follows it, through several compactions', {
    timeout: 180_000,
  }, async () => {
    server.play(thinkingModel);
    const { session } = makeSession({ window: 6_000 });
    await converse(session, 8, behind);
    expect(server.received.flatMap(({ problems }) => problems)).toEqual([]);
    expect(server.received.length).toBe(80);
    expect(JSON.stringify(server.received.at(-1)!.body)).toContain('"rs_');
    expect(session.records().length).toBeGreaterThan(2);
  });
});
