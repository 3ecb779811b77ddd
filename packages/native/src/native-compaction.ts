import { checkOptions, fingerprint, functionRule, jsonText, orAborted, timeoutRule } from '@palimpsest/core/authoring';
import type { Body, BodyHeaders, PreparedBody, ProviderCompaction } from '@palimpsest/session/fetch';
import { findHandoff, type HandoffPlace, itemsBetween, listOf } from './covered-items.ts';
import { apiOf, type Item, type ProviderApi } from './provider-api.ts';

/** What happened to a compaction of the provider. Contains no text of the conversation. */
export type NativeEvent =
  | { readonly type: 'native-compaction'; readonly url: string; readonly items: number }
  /** The handoff is sent alone. */
  | { readonly type: 'native-compaction-failed'; readonly url: string; readonly reason: string };

export interface NativeCompactionOptions {
  /** Called for each compaction that the provider made or failed to make. */
  readonly onEvent?: ((event: NativeEvent) => void) | undefined;
  /** How long the provider may take for one compaction, in milliseconds. @default 120_000 */
  readonly timeoutMs?: number | undefined;
}

/** What a provider made of the conversation up to a handoff. */
interface Compacted {
  readonly url: string;
  /** The text of the handoff. */
  readonly handoff: string;
  /** The provider's replacement for the covered items; `null` after a failure. */
  readonly items: readonly Item[] | null;
  /** When the provider is asked again after a failure, in milliseconds since the epoch. */
  readonly retryAt: number;
  /** What the next compaction begins with. */
  readonly start: readonly Item[];
  readonly to: number;
  /** Of the covered messages, to recognize the conversation. */
  readonly fingerprint: string;
}

/** Why the provider made no compaction. */
interface Failure {
  readonly reason: string;
  /** True if the same call may succeed later. */
  readonly isPassing: boolean;
}

/** Time after a rate limit, an overload or a timeout until the provider is asked again for the same handoff. Milliseconds. */
const pauseMs = 60_000;

/** Number of compactions that are remembered. */
const maxCompactions = 8;

/**
 * Creates the compaction of one session by its provider, for `contextFetch(session, { native })`. When the session has
 * compacted a conversation, the provider is asked to compact the same messages. What it returns is sent in front of the
 * handoff, in place of the messages. The handoff stays, so the conversation can continue at any other provider.
 */
export function nativeCompaction(options: NativeCompactionOptions = {}): ProviderCompaction {
  checkOptions('nativeCompaction', options, { onEvent: functionRule, timeoutMs: timeoutRule });
  return new NativeCompaction(options);
}

class NativeCompaction implements ProviderCompaction {
  readonly #onEvent: NativeCompactionOptions['onEvent'];
  readonly #timeoutMs: number;
  #known: readonly Compacted[] = [];
  /** The calls that are running, by address and handoff. */
  readonly #running: Map<string, Promise<Compacted>> = new Map();

  constructor({ onEvent, timeoutMs = 120_000 }: NativeCompactionOptions) {
    this.#onEvent = onEvent;
    this.#timeoutMs = timeoutMs;
  }

  async apply(prepared: PreparedBody): Promise<{ readonly body: Body; readonly headers?: BodyHeaders } | null> {
    const { wire } = prepared;
    const api = apiOf(wire);
    const place = api && findHandoff(prepared);
    if (!api || !place) return null;
    const list = listOf(prepared.body, wire);
    const head = list.slice(0, place.at);
    // Anthropic accepts a system message only behind a user's, so it cannot be kept in front of a compaction.
    if (head.some((item) => item.role === 'system' && !api.isInstruction(item))) return null;
    const { items } = await this.#findOrAsk(api, prepared, place);
    if (!items) return null;
    const rest = list.slice(place.at);
    const body: Body = { ...prepared.body, [wire.list]: [...head.filter(api.isInstruction), ...items, ...rest] };
    return { body, headers: api.headers };
  }

  noteRejection(prepared: PreparedBody): void {
    const place = apiOf(prepared.wire) && findHandoff(prepared);
    const before = place && this.#find(prepared.url, place.text);
    if (!before) return;
    this.#remember({ ...before, items: null, retryAt: Number.POSITIVE_INFINITY });
    this.#fail(prepared.url, 'The provider rejected the request with its own compaction.');
  }

  /** Requests that overlap share one call. */
  async #findOrAsk(api: ProviderApi, prepared: PreparedBody, place: HandoffPlace): Promise<Compacted> {
    const { signal, url } = prepared;
    const key = `${url} ${place.text}`;
    for (let other = this.#running.get(key); other; other = this.#running.get(key)) {
      const settled = other.catch(() => undefined);
      await orAborted(settled, signal);
    }
    const before = this.#find(url, place.text);
    if (before && (before.items || Date.now() < before.retryAt)) return before;
    const asked = this.#ask(api, prepared, place).finally(() => this.#running.delete(key));
    this.#running.set(key, asked);
    return asked;
  }

  async #ask(api: ProviderApi, prepared: PreparedBody, { at, to, text }: HandoffPlace): Promise<Compacted> {
    const { body, url, wire } = prepared;
    const earlier = this.#known.find((one) => one.url === url && one.items && one.to <= to && isCovered(one, prepared));
    const covered = [...(earlier?.start ?? []), ...itemsBetween(api, prepared, earlier?.to ?? 0, to)];
    const made = await requestCompaction(api, prepared, covered, this.#timeoutMs);
    if ('reason' in made) this.#fail(url, made.reason);
    else this.#onEvent?.({ type: 'native-compaction', url, items: covered.length });
    const items = 'reason' in made ? null : made.filter((item) => !api.isInstruction(item));
    const retryAt = 'reason' in made && made.isPassing ? Date.now() + pauseMs : Number.POSITIVE_INFINITY;
    const start = api.returnsUsers ? (items ?? []) : [...(items ?? []), listOf(body, wire)[at]!];
    const covers = { to, fingerprint: fingerprint(prepared.decoded.messages, to) };
    return this.#remember({ url, handoff: text, items, retryAt, start, ...covers });
  }

  #find(url: string, text: string): Compacted | undefined {
    return this.#known.find((one) => one.url === url && one.handoff === text);
  }

  #remember(one: Compacted): Compacted {
    const others = this.#known.filter((other) => other.url !== one.url || other.handoff !== one.handoff);
    this.#known = [one, ...others].slice(0, maxCompactions);
    return one;
  }

  #fail(url: string, reason: string): void {
    this.#onEvent?.({ type: 'native-compaction-failed', url, reason });
  }
}

function isCovered(one: Compacted, { decoded: { messages } }: PreparedBody): boolean {
  return one.to <= messages.length && fingerprint(messages, one.to) === one.fingerprint;
}

/**
 * Asks the provider to compact items.
 * @returns what the provider put in their place, or why it gave nothing
 * @throws the reason of the caller's signal
 */
async function requestCompaction(
  api: ProviderApi,
  { body, url, signal, post }: PreparedBody,
  items: readonly Item[],
  timeoutMs: number,
): Promise<readonly Item[] | Failure> {
  if (items.length === 0) return lasting('The handoff covers no message that the provider could compact.');
  const stop = new AbortController();
  const end = (): void => stop.abort();
  const timer = setTimeout(end, timeoutMs);
  signal?.addEventListener('abort', end);
  if (signal?.aborted) end();
  try {
    const reply = await orAborted(post(api.url(url), api.request(body, items), api.headers, stop.signal), stop.signal);
    if (!reply.ok) {
      await reply.body?.cancel();
      const { status } = reply;
      const isPassing = status === 408 || status === 429 || status >= 500;
      return { reason: `The provider answered with status ${status}.`, isPassing };
    }
    const made = api.read((await orAborted(reply.json(), stop.signal)) as Body);
    if (!made) return lasting('The reply contains no compaction.');
    // The user's messages come back unchanged, so a conversation that consists of them does not become smaller.
    if (jsonText(made).length > jsonText(items).length / 2)
      return lasting('What the provider returned is more than half as long as the messages.');
    return made;
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    const reason = stop.signal.aborted
      ? `The provider did not answer within ${timeoutMs} ms.`
      : `The call failed: ${error instanceof Error ? error.name : 'unknown error'}.`;
    return { reason, isPassing: true };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', end);
  }
}

function lasting(reason: string): Failure {
  return { reason, isPassing: false };
}
