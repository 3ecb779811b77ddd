/** Maximum length of an inflated text, in bytes. A damaged one could be of any length. */
const maxBytes = 100_000_000;

/** Compresses a text. @returns base64 */
export async function deflateText(text: string): Promise<string> {
  const chunks = await readAll(new Blob([text]).stream().pipeThrough(new CompressionStream('deflate')));
  return btoa(chunks.map((chunk) => Array.from(chunk, (byte) => String.fromCharCode(byte)).join('')).join(''));
}

/** Reverses {@link deflateText}; `null` for a damaged text. */
export async function inflateText(deflated: string): Promise<string | null> {
  try {
    const bytes = Uint8Array.from(atob(deflated), (character) => character.charCodeAt(0));
    const chunks = await readAll(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate')));
    return await new Blob(chunks).text();
  } catch {
    return null;
  }
}

async function readAll(stream: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<Uint8Array<ArrayBuffer>[]> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return chunks;
    chunks.push(value);
    length += value.length;
    if (length <= maxBytes) continue;
    await reader.cancel();
    throw new RangeError(`The text has more than ${maxBytes} bytes.`);
  }
}
