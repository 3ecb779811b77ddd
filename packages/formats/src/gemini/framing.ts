import { eventStream, type Framing, maxEventLength, type StreamEvent } from '../wire/framing.ts';

/** Stands for the end of a list, as `[DONE]` does in other streams. */
export const listEnd = ']';

/**
 * How an answer of `streamGenerateContent` is divided: as server-sent events with `alt=sse`, and otherwise as the items of
 * one JSON list. `null` for an answer that is not a stream.
 */
export function geminiFraming(contentType: string, isStreamed: boolean): Framing | null {
  const events = eventStream(contentType);
  if (events) return events;
  return isStreamed && /\bjson\b/i.test(contentType) ? jsonList() : null;
}

/** A framing that writes one list. */
function jsonList(): Framing {
  let isFirst = true;
  return {
    open(onEvent) {
      const decoder = new TextDecoder();
      const items = new ListReader(onEvent);
      return {
        read: (chunk) => items.read(decoder.decode(chunk, { stream: true })),
        end: () => items.read(decoder.decode()),
      };
    },
    write(event) {
      if ('comment' in event) return '';
      const { data } = event;
      const begin = isFirst ? '[' : '';
      if (data === listEnd) return `${begin}]`;
      const separator = isFirst ? '' : ',\r\n';
      isFirst = false;
      // Nothing follows an error.
      const end = typeof data !== 'string' && 'error' in data ? ']' : '';
      return `${begin}${separator}${typeof data === 'string' ? data : JSON.stringify(data)}${end}`;
    },
  };
}

/** Finds the items of a list of JSON objects in its text, as it comes in pieces. */
class ListReader {
  readonly #onEvent: (event: StreamEvent) => void;
  /** The pieces of the item that is read. */
  #pieces: string[] = [];
  #length = 0;
  #depth = 0;
  #isString = false;
  #isEscaped = false;

  constructor(onEvent: (event: StreamEvent) => void) {
    this.#onEvent = onEvent;
  }

  read(text: string): void {
    // Of the item in this piece; -1 outside.
    let from = this.#depth > 1 ? 0 : -1;
    for (let at = 0; at < text.length; at++) {
      const character = text[at]!;
      if (this.#isString) this.#readInString(character);
      else if (character === '"') this.#isString = true;
      else if (character === '[' || character === '{') {
        if (++this.#depth === 2) from = at;
      } else if (character === ']' || character === '}') {
        this.#depth--;
        if (this.#depth === 1) {
          this.#hold(text.slice(Math.max(from, 0), at + 1));
          this.#give();
          from = -1;
        } else if (this.#depth === 0) this.#onEvent({ data: listEnd });
      }
    }
    if (from >= 0) this.#hold(text.slice(from));
  }

  #readInString(character: string): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (character === '\\') this.#isEscaped = true;
    else if (character === '"') this.#isString = false;
  }

  #hold(piece: string): void {
    this.#length += piece.length;
    if (this.#length > maxEventLength) throw new RangeError('An item of a stream is too long.');
    this.#pieces.push(piece);
  }

  #give(): void {
    const data = this.#pieces.join('');
    this.#pieces = [];
    this.#length = 0;
    this.#onEvent({ data });
  }
}
