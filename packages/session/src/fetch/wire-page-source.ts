import { type SummarizeResponse, toolCallInput, toolCallName, toolCalls } from '@palimpsest/core';
import { jsonText } from '@palimpsest/core/authoring';
import { type Answer, answerReader, appendItems, type Body, type Wire } from '@palimpsest/formats/wire';
import { toPage } from '../adapter/to-page.ts';
import { hasRoom, type PageSource, pendingResult } from '../conversation/page-source.ts';
import type { Outgoing } from './outgoing.ts';

/** A request as a fetch sent it, and what is known of its answer. */
export interface WireRequest {
  readonly outgoing: Outgoing;
  readonly wire: Wire;
  /** The body, parsed. */
  readonly body: Body;
  /** The body, as it was sent. */
  readonly sent: string | Uint8Array;
  /** Headers of the answer. */
  readonly headers: Headers;
  readonly call: (input: string | URL | Request, init?: RequestInit) => Promise<Response>;
}

/** What is known of an answer. */
type Answered = Pick<Answer, 'hasHostCalls' | 'calls' | 'items' | 'text' | 'usage'>;

/** Asks the model of a request over its wire, with the headers of the request. */
export function wirePageSource(request: WireRequest, answer: Answered): PageSource {
  const { outgoing, wire, body, sent, headers } = request;
  const facts = wire.factsOf(body, outgoing.url);
  // After calls, the next request follows at once.
  const hasCalls = answer.hasHostCalls || answer.calls.length > 0;
  return {
    maxTokens: facts.maxTokens,
    hasRoom: hasRoom(headers, answer.usage),
    slot: isOneSlotServer(outgoing.url, headers) ? (hasCalls ? 'busy' : 'free') : undefined,
    askCached:
      wire.obstaclesIn(body).text === null
        ? (instruction, signal) => {
            const items = itemsBehind(wire, answer, instruction);
            const text = appendItems(wire, body, sent, items);
            const list = wire.itemsOf(body) ?? [];
            return post(request, text ?? jsonText({ ...body, [wire.list]: [...list, ...items] }), signal);
          }
        : null,
    ask(prompt, answerTokens, signal) {
      const question = wire.question(body, prompt);
      const isCapped = facts.maxTokens !== undefined && facts.maxTokens < answerTokens;
      return post(request, jsonText(isCapped ? wire.withCap(question, answerTokens) : question), signal);
    },
  };
}

/** The messages or items to send behind a request: its answer, and one message with the instruction. */
function itemsBehind(wire: Wire, { calls: own, hasHostCalls, items, text }: Answered, instruction: string): Body[] {
  const message = wire.userMessage(instruction);
  // No provider accepts an answer without words and calls.
  const answer = text === '' && !hasHostCalls && own.length === 0 ? [] : items;
  const { messages } = wire.codec.decode({ [wire.list]: answer });
  const calls = messages.flatMap((one) => (one.role === 'assistant' ? toolCalls(one) : []));
  if (calls.length === 0) return [...answer, message];
  const results = wire.answers.results(
    calls.map((call) => ({
      id: call.id,
      name: toolCallName(call),
      input: toolCallInput(call),
      answer: pendingResult,
    })),
  );
  const joined = wire.answers.joinResults?.(results, message);
  return joined ? [...answer, joined] : [...answer, ...results, message];
}

async function post(
  { call, outgoing, wire, body: asked }: WireRequest,
  body: string,
  signal: AbortSignal,
): Promise<SummarizeResponse> {
  const [input, init] = outgoing.with(body);
  const reply = await call(input, { ...init, signal });
  const type = reply.headers.get('content-type') ?? '';
  const reader = reply.ok ? answerReader(wire, type, wire.factsOf(asked, outgoing.url).isStreamed) : null;
  const bytes = new Uint8Array(await reply.arrayBuffer());
  if (!reader) throw new RefusedPage(reply);
  reader.read(bytes);
  const { error, hasHostCalls, isComplete, text, usage } = reader.end();
  if (error !== null) throw new Error('The answer has an error.');
  return toPage({ text, hasCalls: hasHostCalls, isCut: !isComplete, usage });
}

/** A refused request for a page. Status and headers decide how long to wait before the next one. */
class RefusedPage extends Error {
  readonly status: number;
  readonly headers: Headers;

  constructor({ status, headers }: Response) {
    super(`The provider answered with status ${status}.`);
    this.status = status;
    this.headers = headers;
  }
}

/** Ports of Ollama and LM Studio. */
const ports: ReadonlySet<string> = new Set(['11434', '1234']);

/**
 * True for llama.cpp, Ollama and LM Studio, which usually answer one request at a time. A request to `/api/chat` is for Ollama
 * on any port. Ollama's cloud answers several requests at once.
 * @param headers of an answer
 */
function isOneSlotServer({ hostname, pathname, port }: URL, headers: Headers): boolean {
  const isOllama = /\/api\/chat\/?$/.test(pathname) && !/(?:^|\.)ollama\.com$/.test(hostname);
  return isOllama || ports.has(port) || /^llama\.cpp/i.test(headers.get('server') ?? '');
}
