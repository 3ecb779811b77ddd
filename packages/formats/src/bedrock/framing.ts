import { parseRecord } from '@palimpsest/core/authoring';
import type { Fields } from '../record.ts';
import type { Answers } from '../wire/answer.ts';
import { type Framing, maxEventBytes } from '../wire/framing.ts';
import { type Frame, FrameReader, writeFrame } from './frame.ts';

/** How the events of one operation are put into frames. */
interface FrameFormat {
  /** The data of an event, as text. */
  read(frame: Frame): string;
  write(event: Fields): Frame;
}

/** A framing for Amazon's event streams; `null` for an answer that is no stream. */
export function framingFor(framing: Framing): Answers['framingOf'] {
  return (contentType) => (/\bvnd\.amazon\.eventstream\b/i.test(contentType) ? framing : null);
}

function framingOf(format: FrameFormat): Framing {
  return {
    open(onEvent) {
      const reader = new FrameReader(maxEventBytes, (frame) => onEvent({ data: format.read(frame) }));
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
