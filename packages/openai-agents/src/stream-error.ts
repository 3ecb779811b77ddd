import type { Fields } from '@palimpsest/core/authoring';
/**
 * Reads the provider's error from a raw event of a stream; `null` for any other event. The error that the SDK throws
 * afterwards does not contain it.
 */
export function streamErrorIn(event: object): unknown {
  const raw = (event as Fields).type === 'model' ? ((event as Fields).event as Fields | undefined) : undefined;
  if (raw?.type === 'error') return raw;
  return raw?.type === 'response.failed' ? ((raw.response as Fields | undefined)?.error ?? raw) : null;
}
