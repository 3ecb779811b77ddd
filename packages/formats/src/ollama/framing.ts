import { type Framing, maxEventLength, type StreamEvent } from '../wire/framing.ts';

/** One JSON object on each line. */
const jsonLines: Framing = {
  open(onEvent) {
    const decoder = new TextDecoder();
    const lines = new LineReader(onEvent);
    return {
      read: (chunk) => lines.read(decoder.decode(chunk, { stream: true })),
      end: () => lines.read(`${decoder.decode()}\n`),
    };
  },
  write(event) {
    if ('comment' in event) return '';
    return `${typeof event.data === 'string' ? event.data : JSON.stringify(event.data)}\n`;
  },
};

/** How an answer of Ollama is divided; `null` for one that is not a stream. */
export function ollamaFraming(contentType: string): Framing | null {
  return /\b(?:x-)?(?:ndjson|jsonl)\b/i.test(contentType) ? jsonLines : null;
}

/** Finds lines in a text as it comes in pieces. */
class LineReader {
  readonly #onEvent: (event: StreamEvent) => void;
  /** The pieces of the line that is read. */
  #pieces: string[] = [];
  #length = 0;

  constructor(onEvent: (event: StreamEvent) => void) {
    this.#onEvent = onEvent;
  }

  read(text: string): void {
    let from = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
      this.#hold(text.slice(from, end));
      this.#give();
      from = end + 1;
    }
    this.#hold(text.slice(from));
  }

  #hold(piece: string): void {
    if (piece === '') return;
    this.#length += piece.length;
    if (this.#length > maxEventLength) throw new RangeError('A line of a stream is too long.');
    this.#pieces.push(piece);
  }

  #give(): void {
    const data = this.#pieces.join('').trim();
    this.#pieces = [];
    this.#length = 0;
    if (data !== '') this.#onEvent({ data });
  }
}
