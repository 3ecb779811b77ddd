import { checkOptions, fingerprint, functionRule, jsonText, numberRule, orAborted } from '@palimpsest/core/authoring';
import type { Body, PreparedBody, ProviderCompaction } from '@palimpsest/session/fetch';
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
  /** What the next compaction begins with. */
  readonly start: readonly Item[];
  readonly to: number;
  /** Of the covered messages, to recognize the conversation. */
  readonly fingerprint: string;
}

/** Number of compactions that are remembered. */
const maxCompactions = 8;

/**
 * Creates the compaction of one session by its provider, for `contextFetch(session, { native })`. When the session has
 * compacted a conversation, the provider is asked to compact the same messages. What it returns is sent in front of the
 * handoff, in place of the messages. The handoff stays, so the conversation can continue at any other provider.
 */
export function nativeCompaction(options: NativeCompactionOptions = {}): ProviderCompaction {
  checkOptions('nativeCompaction', options, { onEvent: functionRule, timeoutMs: numberRule(1, 2 ** 31 - 1) });
  const { onEvent, timeoutMs = 120_000 } = options;
  let known: readonly Compacted[] = [];
  const remember = (one: Compacted): Compacted => {
    known = [one, ...known.filter((other) => other.url !== one.url || other.handoff !== one.handoff)].slice(
      0,
      maxCompactions,
    );
    return one;
  };
  const find = (url: string, text: string): Compacted | undefined =>
    known.find((one) => one.url === url && one.handoff === text);
  const fail = (url: string, reason: string): void => onEvent?.({ type: 'native-compaction-failed', url, reason });

  async function compacted(
    api: ProviderApi,
    prepared: PreparedBody,
    { at, to, text }: HandoffPlace,
  ): Promise<Compacted> {
    const { body, url, wire } = prepared;
    const before = find(url, text);
    if (before) return before;
    const earlier = known.find((one) => one.url === url && one.items && one.to <= to && isCovered(one, prepared));
    const covered = [...(earlier?.start ?? []), ...itemsBetween(api, prepared, earlier?.to ?? 0, to)];
    const made = await requestCompaction(api, prepared, covered, timeoutMs);
    if (typeof made === 'string') fail(url, made);
    else onEvent?.({ type: 'native-compaction', url, items: covered.length });
    const items = typeof made === 'string' ? null : made.filter((item) => !api.isInstruction(item));
    const start = api.returnsUsers ? (items ?? []) : [...(items ?? []), listOf(body, wire)[at]!];
    return remember({ url, handoff: text, items, start, to, fingerprint: fingerprint(prepared.decoded.messages, to) });
  }

  return {
    async apply(prepared) {
      const { wire } = prepared;
      const api = apiOf(wire);
      const place = api && findHandoff(prepared);
      if (!api || !place) return null;
      const list = listOf(prepared.body, wire);
      const head = list.slice(0, place.at);
      // Anthropic accepts a system message only behind a user's, so it cannot be kept in front of a compaction.
      if (head.some((item) => item.role === 'system' && !api.isInstruction(item))) return null;
      const { items } = await compacted(api, prepared, place);
      if (!items) return null;
      const rest = list.slice(place.at);
      const body: Body = { ...prepared.body, [wire.list]: [...head.filter(api.isInstruction), ...items, ...rest] };
      return { body, headers: api.headers };
    },
    rejected(prepared) {
      const place = apiOf(prepared.wire) && findHandoff(prepared);
      const before = place && find(prepared.url, place.text);
      if (!before) return;
      remember({ ...before, items: null });
      fail(prepared.url, 'The provider rejected the request with its own compaction.');
    },
  };
}

function isCovered(one: Compacted, { decoded: { messages } }: PreparedBody): boolean {
  return one.to <= messages.length && fingerprint(messages, one.to) === one.fingerprint;
}

/**
 * Asks the provider to compact items.
 * @returns the provider's replacement, or why there is none
 * @throws the reason of the caller's signal
 */
async function requestCompaction(
  api: ProviderApi,
  { body, url, signal, post }: PreparedBody,
  items: readonly Item[],
  timeoutMs: number,
): Promise<readonly Item[] | string> {
  if (items.length === 0) return 'The handoff covers no message that the provider could compact.';
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const reply = await orAborted(post(api.url(url), api.request(body, items), api.headers), timeout);
    if (!reply.ok) {
      await reply.body?.cancel();
      return `The provider answered with status ${reply.status}.`;
    }
    const made = api.read((await orAborted(reply.json(), timeout)) as Body);
    if (!made) return 'The reply contains no compaction.';
    // The user's messages come back unchanged, so a conversation that consists of them does not become smaller.
    if (jsonText(made).length > jsonText(items).length / 2)
      return 'What the provider returned is more than half as long as the messages.';
    return made;
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    if (timeout.aborted) return `The provider did not answer within ${timeoutMs} ms.`;
    return `The call failed: ${error instanceof Error ? error.name : 'unknown error'}.`;
  }
}
