import type { Message, SummaryLine, SummaryMaterial } from '@palimpsest/core';
import { readWorkRecord, type WorkRecord } from '@palimpsest/work-record';

/** The work record of all messages that a material shows: those before the summary, those it replaces, those after it. */
export interface MaterialRecord {
  readonly work: WorkRecord;
  /** True for the index of a message that the summary replaces. */
  readonly isFolded: (index: number) => boolean;
  /** Lines with indices of the record as sources, with positions in the messages that the summary replaces instead. */
  readonly positions: (lines: readonly SummaryLine[]) => SummaryLine[];
  /** Indices of the messages of the current request. */
  readonly carried: readonly number[];
}

/** Reads the work record of a material. What stays shows what came of earlier work, such as a later success of a test. */
export function readMaterial(material: SummaryMaterial): MaterialRecord {
  const { messages, from, to, requests, carried } = withKept(material);
  const isFolded = (index: number): boolean => index >= from && index < to;
  return {
    work: readWorkRecord({ messages, requests, carried }),
    isFolded,
    positions: (lines) =>
      lines.flatMap(({ text, from: indices }) => {
        const folded = indices.filter(isFolded).map((index) => index - from);
        return folded.length > 0 ? [{ text, from: folded }] : [];
      }),
    carried,
  };
}

/** All messages of the material in order, and the half-open range of those to condense. */
interface ShownMessages {
  readonly messages: readonly Message[];
  readonly from: number;
  readonly to: number;
  readonly requests: readonly number[] | undefined;
  readonly carried: readonly number[];
}

function withKept({ messages, requests, carried = [], kept }: SummaryMaterial): ShownMessages {
  // Without knowing which messages a person typed, those around the turns cannot be told apart either.
  if (!kept || !requests) return { messages, from: 0, to: messages.length, requests, carried };
  const { before, after } = kept;
  const from = before.messages.length;
  const to = from + messages.length;
  return {
    messages: [...before.messages, ...messages, ...after.messages],
    from,
    to,
    requests: [...before.requests, ...requests.map((at) => at + from), ...after.requests.map((at) => at + to)],
    carried: carried.map((at) => at + from),
  };
}
