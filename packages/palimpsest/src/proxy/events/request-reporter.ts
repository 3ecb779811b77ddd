import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Conversation } from '../../conversations/conversation.ts';
import type { Caller } from '../caller.ts';
import type { Refusal } from '../refusals.ts';
import type { UpstreamConnection } from '../upstream-fetch.ts';
import type { Target } from '../upstreams.ts';
import type { ProxyObserver } from './proxy-event.ts';
import { UsageReader } from './usage-reader.ts';

/** What is noted while a request is handled. */
export interface RequestRecord {
  readonly caller: Caller;
  readonly target: Target;
  readonly request: IncomingMessage;
  /** The address that it comes from. */
  readonly client: string | undefined;
  /** Ends with the client's connection. */
  readonly signal: AbortSignal;
  readonly startedAt: number;
  /** When its body was read; `null` before. */
  receivedAt: number | null;
  conversation: Conversation | null;
}

/** Reports requests to an observer. */
export class RequestReporter {
  readonly #observe: ProxyObserver;
  readonly #connection: Pick<UpstreamConnection, 'firstCallAt'>;
  readonly #usage = new UsageReader();

  constructor(observe: ProxyObserver, connection: Pick<UpstreamConnection, 'firstCallAt'>) {
    this.#observe = observe;
    this.#connection = connection;
  }

  /** @param client the address that the request comes from */
  noteRefusal(
    { tenant, client }: { readonly tenant: string | null; readonly client: string | undefined },
    { status, type }: Pick<Refusal, 'status' | 'type'>,
  ): void {
    // A server that listens on `::` sees IPv4 addresses like this.
    const address = client?.replace(/^::ffff:/, '') ?? null;
    this.#observe({ type: 'refused', tenant, client: address, status, reason: type });
  }

  /** Reports a request that was passed on, and what its conversation used since the last one. */
  noteEnd(record: RequestRecord, response: ServerResponse): void {
    const { caller, target, request, signal, startedAt, receivedAt, conversation } = record;
    const calledAt = this.#connection.firstCallAt(signal);
    this.#observe({
      type: 'request',
      tenant: caller.tenant,
      upstream: target.upstream,
      method: request.method ?? 'GET',
      status: response.headersSent ? response.statusCode : 0,
      durationMs: performance.now() - startedAt,
      addedMs: calledAt === null || receivedAt === null ? null : calledAt - receivedAt,
      conversation: conversation && { id: conversation.id, isHeldOut: conversation.isHeldOut },
    });
    if (conversation) this.noteUsage(conversation, caller);
  }

  /** Reports what a conversation used since the last time. */
  noteUsage(conversation: Conversation, { tenant }: Pick<Caller, 'tenant'>): void {
    for (const event of this.#usage.read(conversation, tenant)) this.#observe(event);
  }
}
