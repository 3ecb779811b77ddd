import { jsonText } from '@palimpsest/core/authoring';
import type { Decoded } from '@palimpsest/formats';
import type { Body, Wire } from '@palimpsest/formats/wire';
import type { PreparedRequest } from '../conversation/prepared-request.ts';
import type { Outgoing } from './outgoing.ts';

/** A prepared body, and what it was made from. */
export interface PreparedBody {
  readonly wire: Wire;
  readonly url: string;
  /** The body that the session prepared, as it is sent without a compaction by the provider. */
  readonly body: Body;
  /** The caller's conversation, before the session compacted it. */
  readonly decoded: Decoded<Body>;
  readonly request: PreparedRequest;
  readonly signal: AbortSignal | undefined;
  /**
   * Makes another call with the method, the credentials and the other headers of this request.
   * @param signal cancels it. @default the signal of this request
   */
  post(url: string, body: Body, headers?: BodyHeaders, signal?: AbortSignal): Promise<Response>;
}

/** Headers to add to those of a request. A list in `anthropic-beta` is continued. */
export type BodyHeaders = Readonly<Record<string, string>>;

/** The provider's own compaction, used in prepared bodies. `nativeCompaction` of `@palimpsest/native` creates one. */
export interface ProviderCompaction {
  /**
   * Returns the body to send instead of the prepared one; `null` to send that. Must not throw, except with the reason of
   * an aborted signal.
   */
  apply(prepared: PreparedBody): Promise<{ readonly body: Body; readonly headers?: BodyHeaders } | null>;
  /** Called when the provider rejected the body that `apply` returned. The prepared body is sent next. */
  noteRejection(prepared: PreparedBody): void;
}

/** Sends the body that the provider's compaction gives; `null` if there is none, or the provider rejected it. */
export async function callSwapped(
  native: ProviderCompaction,
  prepared: PreparedBody,
): Promise<{ readonly body: Body; readonly reply: Response } | null> {
  const swapped = await native.apply(prepared);
  if (!swapped) return null;
  const reply = await prepared.post(prepared.url, swapped.body, swapped.headers);
  // Rate limits and access errors are left to the client.
  if (reply.status !== 400 && reply.status !== 413 && reply.status !== 422) return { body: swapped.body, reply };
  native.noteRejection(prepared);
  await reply.body?.cancel();
  return null;
}

export function toPreparedBody(
  prepared: Pick<PreparedBody, 'wire' | 'body' | 'decoded' | 'request'>,
  outgoing: Outgoing,
  call: (input: string | URL | Request, init?: RequestInit) => Promise<Response>,
): PreparedBody {
  const { signal } = outgoing;
  const url = String(outgoing.target);
  const post: PreparedBody['post'] = (target, sent, added, stop) => {
    const [, init] = outgoing.with(jsonText(sent));
    return call(target, { ...init, ...(stop && { signal: stop }), headers: withHeaders(init.headers, added) });
  };
  return { ...prepared, url, signal, post };
}

function withHeaders(before: RequestInit['headers'], added: BodyHeaders = {}): Headers {
  const headers = new Headers(before);
  for (const [name, value] of Object.entries(added)) {
    const listed = name === 'anthropic-beta' ? (headers.get(name)?.split(/\s*,\s*/) ?? []) : [];
    headers.set(name, [...new Set([...listed, value])].join(','));
  }
  return headers;
}
