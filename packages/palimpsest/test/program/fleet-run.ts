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
  /** How many of them begin like another one. @default 10 */
  readonly alike?: number;
  /** How many conversations run at once. @default 10 */
  readonly atOnce?: number;
  /** Length of a tool result. Characters. @default that of one file, about 1,700 */
  readonly fileLength?: number;
  /** True while processes do not reach the store, and have to go on without each other. @default never */
  isApart?(): boolean;
  /** The address for the next request, such as those of three proxies in turn. */
  next(): string;
}

/** What the provider has seen. */
export interface FleetResult {
  /** How often each conversation was sent with another beginning than before. */
  readonly changes: readonly number[];
  /** How many of these were in requests whose process was killed: its log may miss their compaction. */
  readonly changesWhenKilled: number;
  /** How many of these were while processes did not reach the store. */
  readonly changesApart: number;
  /** Requests with words of another conversation. */
  readonly mixed: readonly string[];
  readonly refused: number;
  /** Answers to the clients other than 200. */
  readonly failures: readonly string[];
}

const anyMark = /mark-\d{4}/g;
const markOf = (conversation: number): string => `mark-${String(conversation).padStart(4, '0')}`;

/**
 * After how many rounds a conversation differs from the one that it is a copy of. Of the last ones,
 * pairs also have the same first answer, or as many rounds as a fork of a longer history.
 */
function commonRounds(conversation: number, { conversations, alike = 10 }: FleetRun): number {
  const fromEnd = conversations - 1 - conversation;
  return fromEnd >= alike ? 0 : fromEnd >= 4 ? 1 : fromEnd >= 2 ? 4 : 20;
}

/** Runs conversations at once, each with one request after the other. */
export async function runFleet(run: FleetRun): Promise<FleetResult> {
  const changes = Array.from({ length: run.conversations }, () => 0);
  const changed: string[] = [];
  const killed = new Set<string>();
  const mixed: string[] = [];
  const failures: string[] = [];
  let refused = 0;
  let seen = 0;
  let changesApart = 0;
  const judge = contextWindow(run.window);
  const sent = new Map<string, readonly string[]>();
  const pathOf = (conversation: number, round: number): string => {
    const pair = Math.floor(conversation / 2);
    const isCommon = round < commonRounds(conversation, run);
    return `src/${isCommon ? `pair-${pair}` : markOf(conversation)}/file-${round}.ts`;
  };
  const script = (request: Received): Behaviour => {
    const mark = request.headers['x-mark']!;
    const round = Number(request.headers['x-round']);
    const conversation = Number(mark.slice(5));
    const others = new Set(request.text.match(anyMark));
    others.delete(mark);
    if (others.size > 0) mixed.push(`${mark}, round ${round}: ${[...others].join(', ')}`);
    // It keeps what arrives.
    if (++seen % 1_000 === 0) run.server.play(script);
    const messages = (request.body.messages as object[]).map((message) => JSON.stringify(message));
    const before = sent.get(mark) ?? [];
    if (before.some((message, at) => message !== messages[at])) {
      changes[conversation]!++;
      if (run.isApart?.()) changesApart++;
      else changed.push(`${mark} ${round}`);
    }
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
    // Ten conversations have the same task.
    const task = `Read all files of package ${Math.floor(conversation / 10)}.`;
    const messages: object[] = [{ role: 'user', content: task }];
    for (let round = 0; round < run.requests; round++) {
      const body = JSON.stringify({ model: 'm', max_tokens: 500, messages, tools });
      const headers = {
        authorization: 'Bearer test-key',
        'content-type': 'application/json',
        'x-mark': markOf(conversation),
        'x-round': String(round),
      };
      const { reply, attempts } = await send(run, { method: 'POST', headers, body });
      if (attempts > 1) killed.add(`${markOf(conversation)} ${round}`);
      if (reply.status !== 200) {
        failures.push(`${reply.status}: ${await reply.text()}`);
        break;
      }
      const { choices } = (await reply.json()) as Answer;
      const { role, content, tool_calls: calls } = choices[0]!.message;
      messages.push({ role, content, tool_calls: calls });
      for (const call of calls)
        messages.push({
          role: 'tool',
          tool_call_id: call.id,
          content: longText(call.function.arguments, run.fileLength),
        });
    }
    sent.delete(markOf(conversation));
  };
  // Those with a common beginning run at the same time.
  const waiting = Array.from({ length: run.conversations }, (_, at) => at);
  const runOnes = async (): Promise<void> => {
    for (let at = waiting.shift(); at !== undefined; at = waiting.shift()) await converse(at);
  };
  await Promise.all(Array.from({ length: run.atOnce ?? 10 }, runOnes));
  const changesWhenKilled = changed.filter((one) => killed.has(one)).length;
  return { changes, changesWhenKilled, changesApart, mixed, refused, failures };
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
async function send(
  { next }: FleetRun,
  init: RequestInit,
): Promise<{ readonly reply: Response; readonly attempts: number }> {
  for (let attempts = 1; ; attempts++)
    try {
      const reply = await fetch(`${next()}/openai/v1/chat/completions`, init);
      const bytes = await reply.arrayBuffer();
      return { reply: new Response(bytes, { status: reply.status }), attempts };
    } catch (error) {
      if (attempts === 6) throw error;
    }
}

/** The text of a file, cut to a length, or filled up with others. */
function longText(arguments_: string, length?: number): string {
  const { path } = JSON.parse(arguments_) as { readonly path: string };
  let text = fileText({ path });
  if (length === undefined) return text;
  for (let at = 1; text.length < length; at++) text += `\n${fileText({ path: `${path}.${at}` })}`;
  return text.slice(0, length);
}
