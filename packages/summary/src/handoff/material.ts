import type { Message, SummaryLine, SummaryMaterial } from '@palimpsest/core';
import { readWorkRecord, type WorkRecord } from '../work-record/read-work-record.ts';

/** The work record of all messages in a material: before the summary, replaced by it, and after it. */
export interface MaterialRecord {
  readonly work: WorkRecord;
  /** All messages, in order. Indices in the record refer to them. */
  readonly messages: readonly Message[];
  /** Index of the first message that the summary replaces. */
  readonly from: number;
  /** True for the index of a message that the summary replaces. */
  readonly isSummarized: (index: number) => boolean;
  /** Converts the sources of lines from record indices to positions in the messages that the summary replaces. */
  readonly positions: (lines: readonly SummaryLine[]) => SummaryLine[];
}

/**
 * Reads the work record of a material. Messages that stay may show results of earlier work, such as a test that passes
 * later.
 */
export function readMaterial(material: SummaryMaterial): MaterialRecord {
  const { messages, from, to, fromPerson, carried } = withKept(material);
  const isSummarized = (index: number): boolean => index >= from && index < to;
  return {
    work: readWorkRecord({ messages, fromPerson, carried }),
    messages,
    from,
    isSummarized,
    positions: (lines) =>
      lines.flatMap(({ text, from: indices }) => {
        const summarized = indices.filter(isSummarized).map((index) => index - from);
        return summarized.length > 0 ? [{ text, from: summarized }] : [];
      }),
  };
}

/** All messages of the material in order. `[from, to)` are those to summarize. */
interface ShownMessages {
  readonly messages: readonly Message[];
  readonly from: number;
  readonly to: number;
  readonly fromPerson: readonly number[] | undefined;
  readonly carried: readonly number[];
}

function withKept({ messages, fromPerson, carried = [], kept }: SummaryMaterial): ShownMessages {
  // Without `fromPerson`, the kept messages are not used: it is unknown which messages a person typed.
  if (!kept || !fromPerson) return { messages, from: 0, to: messages.length, fromPerson, carried };
  const { before, after } = kept;
  const from = before.messages.length;
  const to = from + messages.length;
  return {
    messages: [...before.messages, ...messages, ...after.messages],
    from,
    to,
    fromPerson: [...before.fromPerson, ...fromPerson.map((at) => at + from), ...after.fromPerson.map((at) => at + to)],
    carried: [...carried.map((at) => at + from), ...after.fromPerson.map((at) => at + to)],
  };
}
