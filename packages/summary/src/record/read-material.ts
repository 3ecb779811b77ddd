import type { Message, SummaryMaterial } from '@palimpsest/core';
import { readWorkRecord, type WorkRecord } from '@palimpsest/work-record';

/** The work record of all messages that a material shows: those before the summary, those it replaces, those after it. */
export interface MaterialRecord {
  readonly work: WorkRecord;
  /** True for the index of a message that the summary replaces. */
  readonly isFolded: (index: number) => boolean;
  /** Indices of the messages of the current request. */
  readonly carried: readonly number[];
}

/** Reads the work record of a material. What stays shows what came of earlier work, such as a later success of a test. */
export function readMaterial(material: SummaryMaterial): MaterialRecord {
  const { messages, from, to, requests, carried } = withKept(material);
  return {
    work: readWorkRecord({ messages, requests, carried }),
    isFolded: (index) => index >= from && index < to,
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
