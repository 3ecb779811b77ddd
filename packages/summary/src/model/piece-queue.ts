import { splitsPair } from '@palimpsest/pruner/salience';

/** A serialized message, or a piece of one. */
export interface SourcePiece {
  readonly text: string;
  readonly tokens: number;
}

/** A queue that returns pieces in order, in parts that fit a limit. Linear time. */
export class PieceQueue {
  /** Waiting pieces in reverse: the next one is the last element. */
  readonly #waiting: SourcePiece[];
  readonly #countText: (text: string) => number;

  constructor(pieces: readonly SourcePiece[], countText: (text: string) => number) {
    this.#waiting = pieces.toReversed();
    this.#countText = countText;
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  /**
   * Takes as many pieces as fit. A piece larger than the limit is split, at a line end if possible and never inside a
   * surrogate pair, and its pieces are returned in order.
   * @param limit maximum tokens
   */
  take(limit: number): SourcePiece[] {
    const part: SourcePiece[] = [];
    let tokens = 0;
    for (;;) {
      const next = this.#waiting.at(-1);
      if (!next) return part;
      if (next.tokens > limit && next.text.length > 1 && part.length === 0) {
        this.#waiting.pop();
        const at = middle(next.text);
        for (const text of [next.text.slice(at), next.text.slice(0, at)])
          this.#waiting.push({ text, tokens: this.#countText(text) });
        continue;
      }
      if (part.length > 0 && tokens + next.tokens > limit) return part;
      this.#waiting.pop();
      part.push(next);
      tokens += next.tokens;
    }
  }

  /** Returns the pieces of the last `take` to the front of the queue, to be taken again in smaller parts. */
  putBack(part: readonly SourcePiece[]): void {
    for (const piece of part.toReversed()) this.#waiting.push(piece);
  }
}

/**
 * A place to split near the middle: after a line break in the second quarter, else anywhere outside a surrogate pair.
 */
function middle(text: string): number {
  const half = Math.ceil(text.length / 2);
  const line = text.lastIndexOf('\n', half);
  if (line >= half / 2 && line + 1 < text.length) return line + 1;
  return splitsPair(text, half) && half < text.length - 1 ? half + 1 : half;
}
