import {
  type Behaviour,
  contextWindow,
  type LoopbackServer,
  type Received,
} from '../../../../test/loopback-server/index.ts';
import { fileText, parameters } from '../proxy/agent-loops.ts';

/** What is run, and by whom. */
export interface FleetRun {
  readonly server: LoopbackServer;
  /** Tokens. */
  readonly window: number;
  readonly conversations: number;
  /** Requests of each conversation. */
  readonly requests: number;
  /** The address for the next request, such as those of three proxies in turn. */
  next(): string;
}

/** What the provider has seen. */
export interface FleetResult {
  /** How often each conversation was sent with another beginning than before. */
  readonly changes: readonly number[];
  /** Requests with words of another conversation. */
  readonly mixed: readonly string[];
  readonly refused: number;
  /** Answers to the clients other than 200. */
  readonly failures: readonly string[];
}

/** Maximum number of conversations that run at once. */
const maxAtOnce = 10;

const anyMark = /mark-\d{4}/g;
const markOf = (conversation: number): string => `mark-${String(conversation).padStart(4, '0')}`;

/**
 * After how many rounds a conversation differs from the one that it is a copy of. All have the same task. Of the last ten,
 * pairs also have the same first answer, or as many rounds as a fork of a longer history.
 */
function commonRounds(conversation: number, conversations: number): number {
  const fromEnd = conversations - 1 - conversation;
  return fromEnd >= 10 ? 0 : fromEnd >= 4 ? 1 : fromEnd >= 2 ? 4 : 20;
}

/** Runs conversations at once, each with one request after the other. */
export async function runFleet(run: FleetRun): Promise<FleetResult> {
  const changes = Array.from({ length: run.conversations }, () => 0);
  const mixed: string[] = [];
  const failures: string[] = [];
  let refused = 0;
  const judge = contextWindow(run.window);
  const sent = new Map<string, readonly string[]>();
  const pathOf = (conversation: number, round: number): string => {
    const pair = Math.floor(conversation / 2);
    const isCommon = round < commonRounds(conversation, run.conversations);
    return `src/${isCommon ? `pair-${pair}` : markOf(conversation)}/file-${round}.ts`;
  };
  const script = (request: Received): Behaviour => {
    const mark = request.headers['x-mark']!;
    const round = Number(request.headers['x-round']);
    const conversation = Number(mark.slice(5));
    const others = new Set(request.text.match(anyMark));
    others.delete(mark);
    if (others.size > 0) mixed.push(`${mark}, round ${round}: ${[...others].join(', ')}`);
    const messages = (request.body.messages as object[]).map((message) => JSON.stringify(message));
    const before = sent.get(mark) ?? [];
    if (before.some((message, at) => message !== messages[at])) changes[conversation]!++;
    sent.set(mark, messages);
    const { promptTokens, refusal } = judge(request);
    if (refusal) refused++;
    if (refusal) return refusal;
    const path = pathOf(conversation, round);
    const call = { id: `call_${path.replace(/\W/g, '_')}`, name: 'read_file', arguments: JSON.stringify({ path }) };
    return { kind: 'answer', text: `Step ${round}.`, calls: [call], promptTokens, completionTokens: 20 };
  };
  run.server.play(script);
  const converse = async (conversation: number): Promise<void> => {
    const messages: object[] = [{ role: 'user', content: 'Read all files.' }];
    for (let round = 0; round < run.requests; round++) {
      const body = JSON.stringify({ model: 'm', max_tokens: 500, messages, tools });
      const headers = {
        authorization: 'Bearer test-key',
        'content-type': 'application/json',
        'x-mark': markOf(conversation),
        'x-round': String(round),
      };
      const reply = await send(run, { method: 'POST', headers, body });
      if (reply.status !== 200) {
        failures.push(`${reply.status}: ${await reply.text()}`);
        return;
      }
      const { choices } = (await reply.json()) as Answer;
      const { role, content, tool_calls: calls } = choices[0]!.message;
      messages.push({ role, content, tool_calls: calls });
      for (const call of calls)
        messages.push({ role: 'tool', tool_call_id: call.id, content: fileText(call.function.arguments) });
    }
  };
  // Those with a common beginning run at the same time.
  const waiting = Array.from({ length: run.conversations }, (_, at) => at);
  const runOnes = async (): Promise<void> => {
    for (let at = waiting.shift(); at !== undefined; at = waiting.shift()) await converse(at);
  };
  await Promise.all(Array.from({ length: maxAtOnce }, runOnes));
  return { changes, mixed, refused, failures };
}

const tools = [{ type: 'function', function: { name: 'read_file', description: 'Reads a file.', parameters } }];

interface Answer {
  readonly choices: readonly {
    readonly message: {
      readonly role: string;
      readonly content: string;
      readonly tool_calls: readonly { readonly id: string; readonly function: { readonly arguments: string } }[];
    };
  }[];
}

/** Sends a request as a load balancer does: to the next process, if one is gone. */
async function send({ next }: FleetRun, init: RequestInit): Promise<Response> {
  for (let attempt = 0; ; attempt++)
    try {
      const reply = await fetch(`${next()}/openai/v1/chat/completions`, init);
      const bytes = await reply.arrayBuffer();
      return new Response(bytes, { status: reply.status });
    } catch (error) {
      if (attempt === 5) throw error;
    }
}
