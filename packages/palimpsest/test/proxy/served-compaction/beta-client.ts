import type Anthropic from '@anthropic-ai/sdk';
import type { Behaviour, LoopbackServer, Received } from '../../../../../test/loopback-server/index.ts';
import type { ProxyOptions } from '../../../src/proxy/proxy-options.ts';
import { pageProvider } from '../pages/page-provider.ts';
import { type RunningProxy, runningProxy } from '../running-proxy.ts';

export type Beta = Anthropic.Beta.BetaMessage;
export type BetaParam = Anthropic.Beta.BetaMessageParam;
export type Management = Anthropic.Beta.BetaContextManagementConfig;

export const task = 'Read all files. Never touch the file secrets.env.';
export const betas = ['context-management-2025-06-27', 'compact-2026-01-12'];
export const tools = [
  {
    name: 'read_file',
    description: 'Reads a file.',
    input_schema: { type: 'object' as const, properties: { path: { type: 'string' } } },
  },
];
export const compact: Management = {
  edits: [{ type: 'compact_20260112', trigger: { type: 'input_tokens', value: 8_000 } }],
};

/** Refuses what only a server with context management knows, as Anthropic and gateways do. */
export function refusing(
  script: (request: Received) => Behaviour | Promise<Behaviour>,
): (request: Received) => Behaviour | Promise<Behaviour> {
  return (request) => {
    const { body, headers, raw } = request;
    const message = /"type":"compaction"/.test(raw)
      ? "messages.0.content.0: Input tag 'compaction' does not match any of the expected tags"
      : body.context_management !== undefined
        ? 'context_management: Extra inputs are not permitted'
        : body.compaction !== undefined
          ? 'compaction: Extra inputs are not permitted'
          : /compact-20|context-management-20/.test(headers['anthropic-beta'] ?? '')
            ? 'Unexpected value(s) `compact-2026-01-12` for the `anthropic-beta` header.'
            : null;
    return message === null ? script(request) : { kind: 'status', status: 400, message };
  };
}

/** A model that writes so much that only a summary makes its conversation short. */
export function talkative(page: string, window = 200_000): ReturnType<typeof pageProvider> {
  return pageProvider({
    window,
    rounds: 60,
    wordTokens: 600,
    page: () => ({ kind: 'answer', text: page, promptTokens: 9_000, completionTokens: 70 }),
  });
}

export interface Asked {
  readonly anthropic: Anthropic;
  readonly messages: BetaParam[];
  readonly management?: Management | undefined;
  readonly isStreamed?: boolean;
  /** @default 'm' */
  readonly model?: string;
}

/** One request of a client, whose answer it appends. */
export async function ask({ anthropic, messages, management, isStreamed = true, model = 'm' }: Asked): Promise<Beta> {
  const body = {
    model,
    max_tokens: 1_000,
    tools,
    messages,
    betas,
    ...(management && { context_management: management }),
  };
  const message = isStreamed
    ? await anthropic.beta.messages.stream(body).finalMessage()
    : await anthropic.beta.messages.create(body);
  messages.push({ role: 'assistant', content: message.content as Anthropic.Beta.BetaContentBlockParam[] });
  return message;
}

/** An agent that works until the model is done. @returns its answers */
export async function work(asked: Asked, rounds: number): Promise<Beta[]> {
  const answers: Beta[] = [];
  for (let round = 0; round < rounds; round++) {
    const answer = await ask(asked);
    answers.push(answer);
    const calls = answer.content.flatMap((block) => (block.type === 'tool_use' ? [block] : []));
    if (calls.length === 0) break;
    const content = calls.map(({ id, input }) => {
      const { path } = input as { path: string };
      const lines = Array.from({ length: 30 }, (_, line) => `${path}:${line}: const value${line} = f(${line});`);
      return { type: 'tool_result' as const, tool_use_id: id, content: lines.join('\n') };
    });
    asked.messages.push({ role: 'user', content });
  }
  return answers;
}

export function blocksOf(answers: readonly Beta[]): Anthropic.Beta.BetaCompactionBlock[] {
  return answers.flatMap(({ content }) => content.flatMap((block) => (block.type === 'compaction' ? [block] : [])));
}

/** Starts a proxy for a test. */
export async function withProxy<T>(
  server: LoopbackServer,
  options: Partial<ProxyOptions>,
  use: (running: RunningProxy) => Promise<T>,
): Promise<T> {
  const running = await runningProxy(server, { window: 200_000, ...options });
  try {
    return await use(running);
  } finally {
    await running.proxy.close();
  }
}
