import { type EngineHost, type Message, readAnyHandoff } from '@palimpsest/core';
import type { Transcript } from '@palimpsest/core/authoring';
import { type LineKind, readTranscriptLines } from '../read/read-transcript-lines.ts';
import { redactMessage } from '../read/redact-message.ts';
import { rankLines } from './rank-lines.ts';

/** One line of a message with its rank. */
export interface RankedLine {
  /** The redacted text of the line. */
  readonly text: string;
  readonly tokens: number;
  /** Worth of keeping the line, per token; 0 for none. Comparable only within one ranking. */
  readonly worth: number;
  /** True for a piece of a long line that continues where the piece before it ended. */
  readonly continues: boolean;
}

/** A ranked line of a transcript, with its source. */
export interface RankedTranscriptLine extends RankedLine {
  readonly kind: LineKind;
}

/**
 * Ranks the lines of a transcript by how likely they are needed again. All text is redacted first; redacted messages
 * are memoized. System messages and handoffs have no lines. Linear in the length of the text.
 * @param focusTopic topic whose words raise the rank of lines that contain them
 * @returns a function from a message's index to its lines in order: those of its content, then those of its calls
 */
export function rankTranscriptLines(
  transcript: Transcript,
  host: EngineHost,
  focusTopic?: string | undefined,
): (at: number) => readonly RankedTranscriptLine[] {
  const { messages } = transcript;
  const record = readTranscriptLines(
    messages.map((message) => partToRank(message, host)),
    (at) => host.isFromPerson(messages[at]!, at, messages),
  );
  const { scores, costs } = rankLines(record, focusWords(focusTopic ?? null));
  const starts = new Int32Array(messages.length + 1);
  for (const { at } of record.lines) starts[at + 1]!++;
  for (let at = 0; at < messages.length; at++) starts[at + 1]! += starts[at]!;
  return (at) => {
    const lines: RankedTranscriptLine[] = [];
    for (let index = starts[at]!; index < starts[at + 1]!; index++) {
      const { text, continues, kind } = record.lines[index]!;
      lines.push({ kind, text, continues, tokens: costs[index]!, worth: scores[index]! });
    }
    return lines;
  };
}

/** Returns the redacted message, without the text of system messages and handoffs. */
function partToRank(message: Message, host: EngineHost): Message {
  if (message.role === 'system' || message.role === 'developer') return { role: message.role, content: '' };
  const handoff = readAnyHandoff(message, host.reader);
  return redactMessage(handoff ? { ...message, content: handoff.rest } : message, host);
}

/** Returns the words of a focus topic in lower case. Words of one or two characters are omitted. */
export function focusWords(topic: string | null): string[] {
  return (topic ?? '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}_./-]+/u)
    .filter((word) => word.length > 2);
}
