/** Bytes of an error body that are read. Some servers repeat the whole request in it. */
const maxBytes = 1_000_000;

/**
 * Reads the beginning of a reply's body as text, from a copy: the reply can still be read as a whole. Never rejects. If the
 * connection breaks, returns what arrived.
 */
export async function beginningOf(reply: Response): Promise<string> {
  const reader = reply.clone().body?.getReader();
  if (!reader) return '';
  const decoder = new TextDecoder();
  let text = '';
  let left = maxBytes;
  try {
    while (left > 0) {
      const { done, value } = await reader.read();
      if (done) break;
      text += decoder.decode(value.subarray(0, left), { stream: true });
      left -= value.length;
    }
  } catch {
    // The reader of the reply sees the same error.
  }
  // Not awaited: the copy of a body ends only together with the original.
  reader.cancel().catch(() => undefined);
  return text;
}
