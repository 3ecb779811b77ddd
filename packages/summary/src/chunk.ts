/** A serialized message, or a piece of one. */
export interface Turn {
  readonly text: string;
  readonly tokens: number;
}

/**
 * Cuts the turns into runs that each fit the limit, in order, none left out. A turn larger than the limit is cut into
 * pieces at line ends, else anywhere but inside a surrogate pair.
 * @param limit tokens a run may hold
 */
export function chunkTurns(
  turns: readonly Turn[],
  limit: number,
  countText: (text: string) => number,
): readonly (readonly Turn[])[] {
  const chunks: Turn[][] = [];
  let chunk: Turn[] = [];
  let tokens = 0;
  for (const turn of turns.flatMap((whole) => (whole.tokens > limit ? pieces(whole, limit, countText) : [whole]))) {
    if (chunk.length > 0 && tokens + turn.tokens > limit) {
      chunks.push(chunk);
      chunk = [];
      tokens = 0;
    }
    chunk.push(turn);
    tokens += turn.tokens;
  }
  if (chunk.length > 0) chunks.push(chunk);
  return chunks;
}

function pieces(turn: Turn, limit: number, countText: (text: string) => number): Turn[] {
  const parts: Turn[] = [];
  const cut = (text: string): void => {
    const tokens = countText(text);
    if (tokens <= limit || text.length < 2) {
      parts.push({ text, tokens });
      return;
    }
    const at = middle(text);
    cut(text.slice(0, at));
    cut(text.slice(at));
  };
  cut(turn.text);
  return parts;
}

/** A place to cut near the middle: behind a line break when one is in the second quarter, never in a surrogate pair. */
function middle(text: string): number {
  const half = Math.ceil(text.length / 2);
  const line = text.lastIndexOf('\n', half);
  if (line >= half / 2) return line + 1;
  const code = text.charCodeAt(half - 1);
  return code >= 0xd800 && code < 0xdc00 && half < text.length - 1 ? half + 1 : half;
}
