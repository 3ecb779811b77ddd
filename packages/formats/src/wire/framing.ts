import { createParser } from 'eventsource-parser';
import type { Fields } from '../record.ts';

/** An event of a stream, to be written. */
export type StreamEvent =
  | { readonly event?: string | undefined; readonly data: string | Fields }
  | { readonly comment: string };

/** An event of a stream that was read. */
export interface ReadEvent {
  readonly event?: string | undefined;
  readonly data: string;
  /** The parsed data; `null` if they are not a JSON object. */
  readonly fields: Fields | null;
}

/** How a stream is divided into events. */
export interface Framing {
  /** Opens a reader of the bytes of one stream. An event that is far too long is not held: the reader throws. */
  open(onEvent: (event: StreamEvent) => void): {
    read(chunk: Uint8Array): void;
    /** Reads what is left at the end of the stream. */
    end(): void;
  };
  write(event: StreamEvent): string | Uint8Array;
}

/** Maximum length of one event of a stream, in characters. Pictures take a few million. */
export const maxEventLength: number = 16 * 1024 * 1024;

const serverSentEvents: Framing = {
  open(onEvent) {
    const decoder = new TextDecoder();
    const parser = createParser({
      onEvent: ({ event, data }) => onEvent({ event, data }),
      onComment: (comment) => onEvent({ comment }),
      maxBufferSize: maxEventLength,
      onError(error) {
        if (error.type === 'max-buffer-size-exceeded') throw error;
      },
    });
    return {
      read: (chunk) => parser.feed(decoder.decode(chunk, { stream: true })),
      end: () => parser.reset({ consume: true }),
    };
  },
  write(event) {
    if ('comment' in event) return `: ${event.comment}\n\n`;
    const { event: name, data } = event;
    return `${name === undefined ? '' : `event: ${name}\n`}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;
  },
};

/** Server-sent events, the framing of most APIs; `null` for another content type. */
export function eventStream(contentType: string): Framing | null {
  return /\btext\/event-stream\b/i.test(contentType) ? serverSentEvents : null;
}
