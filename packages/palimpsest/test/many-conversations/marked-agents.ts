import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import Anthropic from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai';
import OpenAI from 'openai';
import { startLoopbackServer } from '../../../../test/loopback-server/index.ts';
import {
  type AgentLoop,
  chatLoop,
  geminiLoop,
  type LoopOptions,
  messagesLoop,
  responsesLoop,
} from '../proxy/agent-loops.ts';
import { runningProxy } from '../proxy/running-proxy.ts';
import { type MarkedLog, markedProvider, markHeader } from './marked-provider.ts';

/** What is run. */
export interface MarkedRun {
  /** Tokens. */
  readonly window: number;
  readonly recall: boolean;
  /** Rounds of a conversation, at least and at most. */
  readonly rounds: readonly [least: number, most: number];
  /** Wait before each request. Milliseconds. */
  readonly pauseMs: number;
  /** No conversation begins after this time. Milliseconds; 0 for one conversation of each agent. */
  readonly forMs: number;
}

export interface MarkedResult extends MarkedLog {
  readonly conversations: number;
  readonly compactions: number;
  /** Errors of the clients. */
  readonly failures: readonly string[];
}

/**
 * Runs four agents at once through one proxy. While an agent works, it also asks for titles and starts sub-agents. Main
 * conversations all begin with the same words. Each conversation has a mark of its own, in all that it reads.
 */
export async function runMarkedAgents(run: MarkedRun): Promise<MarkedResult> {
  const roundsOf = new Map<string, number>();
  const { log, script } = markedProvider(run.window, roundsOf);
  const server = await startLoopbackServer(script);
  let compactions = 0;
  const { proxy } = await runningProxy(server, {
    window: run.window,
    recall: run.recall,
    onCompaction: () => {
      compactions++;
    },
  });
  const failures: string[] = [];
  const until = performance.now() + run.forMs;
  // What has arrived was searched. It is not kept.
  const forget = setInterval(() => server.play(script), 1_000);

  const converse = async (loop: AgentLoop, taskOf: (mark: string) => string): Promise<string> => {
    const mark = `mark-${randomBytes(6).toString('hex')}`;
    const [least, most] = run.rounds;
    roundsOf.set(mark, least + Math.floor(Math.random() * (most - least)));
    const history: object[] = [];
    await loop({ ...clientsOf(proxy.url, mark, run.pauseMs), history, task: taskOf(mark) });
    if (!JSON.stringify(history.at(-1)).includes(`All done with ${mark}.`)) failures.push(`${mark} did not end`);
    roundsOf.delete(mark);
    return mark;
  };
  const agent = async (loop: AgentLoop): Promise<void> => {
    do {
      const main = converse(loop, () => 'Read all files.');
      const subAgents = [0, 1].map(() => converse(loop, (mark) => `Look at the files of ${mark}.`));
      await Promise.all([main, ...subAgents, title(clientsOf(proxy.url, 'mark-000000000000', run.pauseMs))]);
    } while (performance.now() < until);
  };
  await Promise.all(
    [chatLoop, responsesLoop, messagesLoop, geminiLoop].map((loop) =>
      agent(loop).catch((error: unknown) => failures.push(String(error))),
    ),
  );
  clearInterval(forget);
  await proxy.close();
  await server.close();
  return { ...log, conversations: proxy.conversations.length, compactions, failures };
}

type Clients = Pick<LoopOptions, 'openai' | 'anthropic' | 'gemini'>;

function clientsOf(url: string, mark: string, pauseMs: number): Clients {
  const common = {
    apiKey: 'test-key',
    maxRetries: 0,
    defaultHeaders: { [markHeader]: mark },
    fetch: async (...given: Parameters<typeof fetch>) => {
      if (pauseMs > 0) await setTimeout(pauseMs);
      return fetch(...given);
    },
  };
  return {
    openai: new OpenAI({ ...common, baseURL: `${url}/openai/v1` }),
    anthropic: new Anthropic({ ...common, baseURL: `${url}/anthropic` }),
    gemini: new GoogleGenAI({
      apiKey: common.apiKey,
      httpOptions: { baseUrl: `${url}/gemini`, headers: common.defaultHeaders },
    }),
  };
}

async function title({ openai }: Clients): Promise<void> {
  for (let time = 0; time < 5; time++)
    await openai.chat.completions.create({
      model: 'm',
      messages: [{ role: 'user', content: `A title for mark-000000000000, please.` }],
    });
}
