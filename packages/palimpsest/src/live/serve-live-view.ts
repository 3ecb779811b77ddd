import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Conversation } from '../conversations/conversation.ts';
import type { Conversations } from '../conversations/conversations.ts';
import { act, isAction, search } from './actions.ts';
import { type LiveView, liveView, type Notice, type ProxyStatus } from './live-view.ts';
import { livePagePolicy } from './page/frame.ts';
import { conversationPage, livePage } from './page/live-page.ts';
import { handoffPage, messagePage, notFoundPage, searchPage } from './page/text-pages.ts';

/** What is answered: a page, and the same as JSON. */
interface Answer {
  readonly page: string;
  readonly json?: unknown;
}

/** Maximum length of a form and of a search, in characters. */
const maxFormLength = 1_000;
const maxQueryLength = 400;

/**
 * Serves the live view of a proxy: pages, or JSON for a client that asks for it. A `POST` to `/live/ID/ACTION` acts on a
 * conversation. It needs the token that only the page has.
 */
export class LiveServer {
  readonly #conversations: Pick<Conversations, 'open'>;
  readonly #status: ProxyStatus;
  readonly #token = randomBytes(24).toString('hex');
  readonly #notices = new WeakMap<Conversation, Notice>();

  constructor(conversations: Pick<Conversations, 'open'>, status: ProxyStatus) {
    this.#conversations = conversations;
    this.#status = status;
  }

  /** True for a path of the live view. */
  serves(path: string): boolean {
    return /^\/(?:\?|$)|^\/live\//.test(path);
  }

  /** @param isOwner true if only the owner of the proxy can send the request, so that it needs no token */
  async answer(request: IncomingMessage, response: ServerResponse, isOwner = false): Promise<void> {
    const { pathname, searchParams } = new URL(request.url!, 'http://localhost');
    const [, id, what, which] = /^\/live\/([^/]+)(?:\/([a-z]+)(?:\/(\d+))?)?$/.exec(pathname) ?? [];
    const conversation = this.#conversations.open.find((one) => one.id === id);
    const wantsJson = /\bapplication\/json\b/.test(request.headers.accept ?? '');
    if (request.method === 'POST') {
      const isAllowed = isOwner || (await this.#hasToken(request));
      if (!isAllowed || !conversation || !isAction(what)) return write(response, isAllowed ? 404 : 403, forbidden);
      const words = this.#status.isObserving
        ? 'Observing: nothing is changed.'
        : await act(conversation, what).catch((error: Error) => `That failed: ${error.message}`);
      this.#notices.set(conversation, { at: this.#status.now(), words });
      if (wantsJson) return write(response, 200, { page: '', json: { words } }, true);
      response.setHeader('location', backTo(request.headers.referer, id!));
      return write(response, 303, forbidden);
    }
    const query = searchParams.get('query')?.slice(0, maxQueryLength) ?? '';
    const found =
      pathname === '/'
        ? await this.#overview()
        : conversation && (await this.#about(conversation, what, which === undefined ? null : Number(which), query));
    return write(response, found ? 200 : 404, found ?? { page: notFoundPage }, wantsJson);
  }

  async #hasToken(request: IncomingMessage): Promise<boolean> {
    if (Number(request.headers['content-length'] ?? maxFormLength + 1) > maxFormLength) return false;
    const token = new URLSearchParams(await text(request)).get('token') ?? '';
    const [given, wanted] = [Buffer.from(token), Buffer.from(this.#token)];
    return given.length === wanted.length && timingSafeEqual(given, wanted);
  }

  async #overview(): Promise<Answer> {
    const view = await this.#view(this.#conversations.open);
    return { page: livePage(view, this.#token), json: view };
  }

  async #about(
    conversation: Conversation,
    what: string | undefined,
    which: number | null,
    query: string,
  ): Promise<Answer | null> {
    const view = await this.#view([conversation]);
    if (what === undefined) return { page: conversationPage(view, this.#token), json: view };
    const [named] = view.conversations;
    if (what === 'search') {
      const found = query.trim() === '' ? 'Nothing to search for.' : await search(conversation, query);
      return { page: searchPage(named!, query, found), json: { words: found } };
    }
    const { session, shown, stats } = conversation;
    if (!session || !shown) return null;
    const inspection = await (await session).inspect(shown.history);
    if (what === 'handoff') {
      const until = inspection.compaction ?? 0;
      const isByModel = stats.compactions.some(({ number, modelCalls }) => number <= until && modelCalls > 0);
      return { page: handoffPage(named!, inspection, isByModel) };
    }
    const message = what === 'messages' && which !== null ? inspection.messages[which] : undefined;
    return message ? { page: messagePage(named!, message, inspection.messages.length) } : null;
  }

  #view(conversations: readonly Conversation[]): Promise<LiveView> {
    return liveView(conversations, this.#status, (one) => this.#notices.get(one) ?? null);
  }
}

const forbidden: Answer = { page: 'This button belongs to an older page. Load the page again, and press it again.' };

/** The page with the button. */
function backTo(referer: string | undefined, id: string): string {
  const isAlone = referer !== undefined && new URL(referer).pathname !== '/';
  return isAlone ? `/live/${id}` : `/#c-${id}`;
}

function write(response: ServerResponse, status: number, { page, json }: Answer, wantsJson = false): void {
  const isJson = wantsJson && json !== undefined;
  response.writeHead(status, {
    'content-type': isJson ? 'application/json' : 'text/html; charset=utf-8',
    'content-security-policy': livePagePolicy,
    'cache-control': 'no-store',
    // With `no-referrer`, a browser would hide the origin of our own forms.
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
  });
  response.end(isJson ? JSON.stringify(json) : page);
}
