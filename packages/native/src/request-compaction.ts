import { jsonText, orAborted } from '@palimpsest/core/authoring';
import type { Body, PreparedBody } from '@palimpsest/session/fetch';
import type { Item, ProviderApi } from './provider-api.ts';

/**
 * Asks the provider to compact items.
 * @returns what stands for them, or one sentence that says why there is nothing
 * @throws the reason of the caller's signal
 */
export async function requestCompaction(
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
