import { isSystem } from '@palimpsest/core';
import { headEnd, type Transcript } from '@palimpsest/core/authoring';

/** Limits for the head, the start of a transcript that stays unchanged. */
export interface HeadLimits {
  /**
   * Number of messages to keep after the system prompt. They end after an assistant message that calls no tools, or none
   *  is kept. To keep a message wherever it is, such as the first task, pass it as a pin to `summarizeRange`.
   */
  readonly protectFirst: number;
  /** Maximum tokens of these messages; a larger head is reduced to the system prompt. */
  readonly headTokens: number;
}

/** The group at which the kept head ends. */
export function findHeadEnd(transcript: Transcript, { protectFirst, headTokens }: HeadLimits): number {
  const end = headEnd(transcript, headLimit(transcript, protectFirst));
  const systemOnly = headEnd(transcript, 0);
  return transcript.tokensOfGroups(systemOnly, end) <= headTokens ? end : systemOnly;
}

/**
 * The group before which the head must end: `protectFirst` messages after the system prompt, without the current
 * request.
 */
function headLimit(transcript: Transcript, protectFirst: number): number {
  const { groups, messages, task } = transcript;
  const last = task ? transcript.groupOf(task.from) : groups.length;
  let counted = 0;
  let limit = 0;
  while (limit < last) {
    const group = groups[limit]!;
    if (!isSystem(messages[group.from]!)) {
      if (counted >= protectFirst) break;
      counted += group.to - group.from;
    }
    limit++;
  }
  return limit;
}
