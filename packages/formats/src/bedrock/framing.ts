import { parseRecord } from '@palimpsest/core/authoring';
import { type Fields, fieldsIn } from '../record.ts';
import type { Answers } from '../wire/answers.ts';
import { type Framing, maxEventLength } from '../wire/framing.ts';
import { type Frame, FrameReader, writeFrame } from './frame.ts';

/** How the events of one operation are put into frames. */
interface FrameFormat {
  /** The data of an event, as text. */
  read(frame: Frame): string;
  write(event: Fields): Frame;
}

/** A framing for Amazon's event streams; `null` for an answer that is not a stream. */
export function framingFor(framing: Framing): Answers['framingOf'] {
  return (contentType) => (/\bvnd\.amazon\.eventstream\b/i.test(contentType) ? framing : null);
}

function framingOf(format: FrameFormat): Framing {
  return {
    open(onEvent) {
      const reader = new FrameReader(maxEventLength, (frame) => onEvent({ data: format.read(frame) }));
      return { read: (chunk) => reader.read(chunk), end: () => {} };
    },
    write(event) {
      if ('comment' in event) return '';
      return writeFrame(format.write(typeof event.data === 'string' ? (parseRecord(event.data) ?? {}) : event.data));
    },
  };
}

/** The stream of `ConverseStream`. The type of an event is the only field of its data. */
export const converseFraming: Framing = framingOf({
  read: ({ type, payload }) => `{${JSON.stringify(type)}:${payload || '{}'}}`,
  write(event) {
    const [type = '', value] = Object.entries(event)[0] ?? [];
    return { type, payload: JSON.stringify(value) };
  },
});

/** The stream of `InvokeModelWithResponseStream`. Its chunks contain the events of the model's own API. */
export const invokeFraming: Framing = framingOf({
  read({ type, payload }) {
    const { bytes, message } = parseRecord(payload) ?? {};
    if (typeof bytes === 'string') return decodeBase64(bytes);
    return JSON.stringify({ type: 'error', error: { type, message } });
  },
  write(event) {
    const { type = '', message } = event.type === 'error' ? fieldsIn(event.error) : {};
    if (event.type !== 'error') return { type: 'chunk', payload: JSON.stringify({ bytes: encodeBase64(event) }) };
    const name = /Exception$/.test(String(type)) ? String(type) : 'internalServerException';
    return { type: name, payload: JSON.stringify({ message }) };
  },
});

function decodeBase64(text: string): string {
  return new TextDecoder().decode(Uint8Array.from(atob(text), (character) => character.charCodeAt(0)));
}

function encodeBase64(event: Fields): string {
  const bytes = new TextEncoder().encode(JSON.stringify(event));
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}
