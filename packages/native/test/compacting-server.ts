import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { anthropic, openaiResponses } from '@palimpsest/formats';
import { type LoopbackServer, startLoopbackServer } from '../../../test/loopback-server/index.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What the server does with requests to compact. `invented`: a compaction that it later rejects. */
type Compacting = 'well' | 'error' | 'empty' | 'stalls' | 'invented';

/**
 * OpenAI and Anthropic with their compaction as documented, in front of the strict loopback server. It accepts only
 * compactions that it made, in the place that the provider demands, and passes the rest of the body on.
 */
export interface CompactingServer {
  readonly openaiUrl: string;
  readonly anthropicUrl: string;
  readonly behind: LoopbackServer;
  /** Bodies of ordinary requests as they arrived, with the compactions in them. */
  readonly bodies: readonly Fields[];
  /** The compactions made, and what each of them hides. */
  readonly made: readonly { readonly token: string; readonly hidden: string }[];
  /** Requests to compact, including failed ones. */
  readonly asked: readonly Fields[];
  /** Number of requests to compact that the client closed. */
  readonly closed: number;
  compacting: Compacting;
  /** What requests were rejected for. */
  readonly problems: readonly string[];
  reset(): void;
  close(): Promise<void>;
}

const beta = 'compact-2026-09-04';

export async function startCompactingServer(): Promise<CompactingServer> {
  const behind = await startLoopbackServer();
  const state = {
    compacting: 'well' as Compacting,
    made: [] as { token: string; hidden: string }[],
    bodies: [] as Fields[],
    asked: [] as Fields[],
    problems: [] as string[],
    closed: 0,
  };
  const reject = (response: ServerResponse, message: string) => {
    state.problems.push(message);
    send(response, 400, { type: 'error', error: { type: 'invalid_request_error', code: null, param: null, message } });
  };
  const compact = (response: ServerResponse, body: Fields, isOpenai: boolean) => {
    state.asked.push(body);
    const items = (isOpenai ? body.input : body.messages) as readonly Fields[];
    const rest = items.filter((item) => tokenOf(item) === null);
    const wrong = isOpenai
      ? openaiResponses.validate({ input: rest as never })
      : anthropic.validate({ messages: rest as never });
    const unknown = items.map(tokenOf).filter((token) => token !== null && !isMade(token));
    if (wrong.length > 0 || unknown.length > 0 || typeof body.model !== 'string')
      return reject(response, `compact: ${JSON.stringify(wrong)} ${unknown.join()}`);
    if (state.compacting === 'stalls') {
      response.on('close', () => state.closed++);
      return;
    }
    if (state.compacting === 'error') return send(response, 500, { error: { message: 'overloaded' } });
    const token = `opaque_${state.made.length}_${state.compacting}`;
    if (state.compacting === 'well') {
      const before = items.map(tokenOf).flatMap((known) => state.made.find((one) => one.token === known)?.hidden ?? []);
      state.made.push({ token, hidden: `${before.join('\n')}\n${JSON.stringify(rest)}` });
    }
    const isEmpty = state.compacting === 'empty';
    if (isOpenai) {
      const users = rest.filter(({ role }) => role === 'user').map((item) => ({ type: 'message', ...item }));
      const item = { type: 'compaction', id: `cmp_${token}`, encrypted_content: token };
      const output = [...users, ...(isEmpty ? [] : [item])];
      send(response, 200, { id: 'resp_c', object: 'response.compaction', created_at: 1, output, usage: {} });
    } else {
      const block = { type: 'compaction', content: isEmpty ? null : 'A summary.', signature: token };
      const reply = { id: 'msg_c', type: 'message', role: 'assistant', model: body.model, content: [block] };
      send(response, 200, { ...reply, stop_reason: 'compaction', usage: { input_tokens: 9, output_tokens: 9 } });
    }
  };
  const isMade = (token: string): boolean => state.made.some((one) => one.token === token);
  const server = createServer((request, response) => {
    void readBody(request).then(async (text) => {
      const body = JSON.parse(text) as Fields;
      const url = request.url ?? '';
      const isOpenai = url.startsWith('/v1/responses');
      if (url === '/v1/responses/compact') return compact(response, body, true);
      const list = isOpenai ? 'input' : 'messages';
      const items = body[list] as readonly Fields[];
      const betas = String(request.headers['anthropic-beta'] ?? '').split(',');
      if (!isOpenai && 'compaction' in body) {
        if (!betas.includes(beta)) return reject(response, 'compaction: Extra inputs are not permitted');
        if ('context_management' in body || body.stream) return reject(response, 'compaction cannot be combined');
        return compact(response, body, false);
      }
      const tokens = items.flatMap((item, at) => (tokenOf(item) === null ? [] : [{ at, token: tokenOf(item)! }]));
      for (const { at, token } of tokens) {
        if (!isMade(token)) return reject(response, `a compaction that was not made here: ${token}`);
        if (!isOpenai && (at > 0 || !betas.includes(beta))) return reject(response, 'a misplaced compaction block');
      }
      state.bodies.push(body);
      const passed = { ...body, [list]: items.filter((item) => tokenOf(item) === null) };
      const target = isOpenai ? behind.openaiUrl.replace(/\/v1$/, '') : behind.anthropicUrl;
      const { host: _, 'content-length': __, connection: ___, ...headers } = request.headers as Record<string, string>;
      const reply = await fetch(`${target}${url}`, { method: 'POST', headers, body: JSON.stringify(passed) });
      response.writeHead(reply.status, { 'content-type': reply.headers.get('content-type') ?? '' });
      response.end(Buffer.from(await reply.arrayBuffer()));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    openaiUrl: `${origin}/v1`,
    anthropicUrl: origin,
    behind,
    get bodies() {
      return state.bodies;
    },
    get made() {
      return state.made;
    },
    get asked() {
      return state.asked;
    },
    get problems() {
      return [...state.problems, ...behind.received.flatMap((request) => request.problems)];
    },
    get closed() {
      return state.closed;
    },
    get compacting() {
      return state.compacting;
    },
    set compacting(value) {
      state.compacting = value;
    },
    reset() {
      Object.assign(state, { compacting: 'well', made: [], bodies: [], asked: [], problems: [], closed: 0 });
    },
    async close() {
      await behind.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The opaque part of a compaction; `null` for any other item. */
export function tokenOf({ type, encrypted_content: token, content }: Fields): string | null {
  if (type === 'compaction') return String(token);
  const block = Array.isArray(content) ? (content as readonly Fields[]).find((one) => one.type === 'compaction') : null;
  return block ? String(block.signature) : null;
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
