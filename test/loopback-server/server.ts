import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { bedrockInvokeProtocol, bedrockProtocol } from './bedrock-protocol.ts';
import type { Behaviour, Received } from './behaviour.ts';
import { checkBedrockRequest, checkInvokeRequest } from './check-bedrock.ts';
import { checkGeminiRequest } from './check-gemini.ts';
import { checkOllamaRequest } from './check-ollama.ts';
import { checkAnthropicRequest, checkOpenaiRequest, checkResponsesRequest, textIn } from './check-request.ts';
import type { SignedRequest } from './check-signature.ts';
import { asList, geminiProtocol } from './gemini-protocol.ts';
import { ollamaProtocol } from './ollama-protocol.ts';
import { anthropicProtocol, defaultCode, openaiProtocol, type Protocol, sentence } from './protocol.ts';
import { responsesProtocol } from './responses-protocol.ts';

/** Responses to the requests: a list in order, after which requests fail, or a function that decides, at once or later. */
export type Script = readonly Behaviour[] | ((request: Received, number: number) => Behaviour | Promise<Behaviour>);

/** A server on the loopback interface that speaks OpenAI chat completions and Responses, Anthropic messages, the Gemini API, Bedrock, and Ollama's own API. */
export interface LoopbackServer {
  /** Base URL for the `openai` client. */
  readonly openaiUrl: string;
  /** Base URL for Codex with a ChatGPT login. */
  readonly chatgptUrl: string;
  /** Base URL for the `@anthropic-ai/sdk` client. */
  readonly anthropicUrl: string;
  /** Base URL for the `@anthropic-ai/vertex-sdk` client. */
  readonly vertexUrl: string;
  /** Base URL for the `@google/genai` client. */
  readonly geminiUrl: string;
  /** The address of Bedrock for clients of it. */
  readonly bedrockUrl: string;
  /** The address of Ollama for clients of it. */
  readonly ollamaUrl: string;
  /** The bodies of requests to count tokens, which are not part of the script. */
  readonly counted: readonly string[];
  /** Everything that arrived, oldest first. */
  readonly received: readonly Received[];
  /** Connections that are open now. */
  readonly open: number;
  /** Replaces the script and forgets what arrived. */
  play(script: Script): void;
  /** Resolves when this many requests have arrived since the last {@link play}. */
  arrival(count: number): Promise<void>;
  /** Closes all connections, including stalled ones. */
  close(): Promise<void>;
}

/** Starts a server on a free port. It uses no timers: what stalls, stalls until the client disconnects. */
export async function startLoopbackServer(script: Script = []): Promise<LoopbackServer> {
  let current: Script = script;
  let received: Received[] = [];
  let counted: string[] = [];
  let waiting: { count: number; resolve: () => void }[] = [];
  const sockets = new Set<import('node:net').Socket>();
  const server = createServer((request, response) => {
    void readBody(request).then(async (body) => {
      const [route = ''] = (request.url ?? '').split('?');
      if (/\/models\/(?:[^/]+:countTokens|count-tokens:rawPredict)$/.test(route)) {
        counted.push(body);
        return send(response, 200, { totalTokens: 7, input_tokens: 7 });
      }
      const protocol = protocols.find(({ path }) => (typeof path === 'string' ? path === route : path.test(route)));
      if (!protocol || request.method !== 'POST') return send(response, 404, { error: { message: 'no such route' } });
      const seen = inspect(protocol, request, body);
      received.push(seen);
      const number = received.length - 1;
      waiting = waiting.filter(({ count, resolve }) => {
        if (received.length >= count) resolve();
        return received.length < count;
      });
      if (protocol.name.startsWith('bedrock')) response.setHeader('x-amzn-requestid', `request-${received.length}`);
      if (seen.problems.length > 0) return fail(response, protocol, 400, seen.problems.join('; '));
      const behaviour = typeof current === 'function' ? await current(seen, number) : current[number];
      if (!behaviour) return fail(response, protocol, 418, `The script has no request ${number + 1}.`, 'script_ended');
      return act(response, protocol, seen, behaviour);
    });
  });
  // Otherwise a connection that a busy test leaves idle is closed in the moment in which the client uses it again.
  server.keepAliveTimeout = 0;
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    openaiUrl: `${origin}/v1`,
    chatgptUrl: `${origin}/backend-api/codex`,
    anthropicUrl: origin,
    vertexUrl: `${origin}/v1`,
    geminiUrl: origin,
    bedrockUrl: origin,
    ollamaUrl: origin,
    get counted() {
      return counted;
    },
    get received() {
      return received;
    },
    get open() {
      return sockets.size;
    },
    play(next) {
      current = next;
      received = [];
      counted = [];
      waiting = [];
    },
    arrival: (count) =>
      received.length >= count ? Promise.resolve() : new Promise((resolve) => waiting.push({ count, resolve })),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

const protocols: readonly Protocol[] = [
  openaiProtocol,
  responsesProtocol,
  anthropicProtocol,
  geminiProtocol,
  bedrockProtocol,
  bedrockInvokeProtocol,
  ollamaProtocol,
];

type Fields = Readonly<Record<string, unknown>>;

const checks: Readonly<Record<Received['protocol'], (request: SignedRequest, body: Fields) => string[]>> = {
  openai: ({ headers }, body) => checkOpenaiRequest(headers, body),
  'openai-responses': ({ headers, path }, body) => checkResponsesRequest(headers, body, path),
  anthropic: ({ headers, path }, body) => checkAnthropicRequest(headers, body, path),
  gemini: ({ headers, path }, body) => checkGeminiRequest(headers, body, path),
  bedrock: checkBedrockRequest,
  'bedrock-invoke': checkInvokeRequest,
  ollama: (_, body) => checkOllamaRequest(body),
};

function inspect(protocol: Protocol, request: IncomingMessage, text: string): Received {
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  );
  let body: Record<string, unknown> = {};
  const problems: string[] = [];
  try {
    body = JSON.parse(text) as Record<string, unknown>;
  } catch {
    problems.push('the body is not JSON');
  }
  const path = request.url ?? '';
  const method = request.method ?? '';
  problems.push(...checks[protocol.name]({ method, path, headers, raw: text }, body));
  return {
    protocol: protocol.name,
    path,
    headers,
    body,
    raw: text,
    model: String(body.model ?? /models?\/([^:/]+)[:/]/.exec(path)?.[1] ?? ''),
    streaming:
      (protocol === ollamaProtocol ? body.stream !== false : body.stream === true) ||
      /:stream|-(?:response-)?stream$/.test(path),
    text: textIn(body),
    problems,
  };
}

async function act(
  response: ServerResponse,
  protocol: Protocol,
  { model, path, streaming }: Received,
  behaviour: Behaviour,
): Promise<void> {
  const isList = protocol === geminiProtocol && streaming && !/[?&]alt=sse\b/.test(path);
  switch (behaviour.kind) {
    case 'status': {
      const code = behaviour.code ?? defaultCode(protocol.name, behaviour.status);
      if (behaviour.retryAfterSeconds !== undefined)
        response.setHeader('retry-after', String(behaviour.retryAfterSeconds));
      return fail(
        response,
        protocol,
        behaviour.status,
        behaviour.message ?? sentence(code),
        code,
        behaviour.retryAfterSeconds,
      );
    }
    case 'html':
      response.writeHead(behaviour.status ?? 200, { 'content-type': 'text/html' });
      response.end('<!DOCTYPE html>\n<html><head><title>Sign in</title></head><body><form></form></body></html>');
      return;
    case 'answer':
      if (!streaming) return send(response, 200, protocol.whole(model, behaviour));
      await stream(response, protocol, protocol.events(model, behaviour), isList);
      response.end();
      return;
    case 'stream-error': {
      const events = protocol.events(model, { kind: 'answer', text: behaviour.text ?? 'The beginning of an answer.' });
      await stream(response, protocol, [...events.slice(0, 3), protocol.errorEvent(behaviour.code)], isList);
      response.end();
      return;
    }
    default: {
      if (behaviour.at === 'middle')
        await half(response, protocol, model, streaming, behaviour.text ?? 'The beginning of an answer.');
      if (behaviour.kind === 'close') response.destroy();
    }
  }
}

/** The first half of an answer. The rest is never sent. */
async function half(
  response: ServerResponse,
  protocol: Protocol,
  model: string,
  streaming: boolean,
  text: string,
): Promise<void> {
  const answer = { kind: 'answer', text } as const;
  if (streaming) {
    const events = protocol.events(model, answer);
    await stream(response, protocol, events.slice(0, Math.ceil(events.length / 2)));
    return;
  }
  const body = JSON.stringify(protocol.whole(model, answer));
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) });
  await written(response, body.slice(0, Math.ceil(body.length / 2)));
}

async function stream(
  response: ServerResponse,
  { name }: Protocol,
  given: readonly (string | Uint8Array)[],
  isList = false,
): Promise<void> {
  const usual = name.startsWith('bedrock') ? 'application/vnd.amazon.eventstream' : 'text/event-stream';
  const ofLines = name === 'ollama' ? 'application/x-ndjson' : usual;
  const type = isList ? 'application/json; charset=UTF-8' : ofLines;
  response.writeHead(200, { 'content-type': type, 'cache-control': 'no-cache' });
  const events = isList ? asList(given) : given;
  // Each event in its own turn of the event loop, so that a client receives them one by one.
  for (const event of events) {
    await written(response, event);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function written(response: ServerResponse, text: string | Uint8Array): Promise<void> {
  return new Promise((resolve) => response.write(text, () => resolve()));
}

/** @param given code and time to wait, if they are not the usual ones */
function fail(
  response: ServerResponse,
  protocol: Protocol,
  status: number,
  message: string,
  ...[code = defaultCode(protocol.name, status), seconds]: readonly [code?: string, retryAfterSeconds?: number]
): void {
  if (protocol.name.startsWith('bedrock')) response.setHeader('x-amzn-errortype', code);
  send(response, status, protocol.error(status, code, message, seconds));
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

function readBody(request: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
    request.on('error', reject);
  });
}
