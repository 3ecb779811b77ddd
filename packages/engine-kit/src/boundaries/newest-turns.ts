import type { CompressOptions, PersonRecognizer } from '@palimpsest/core';
import type { Transcript } from '@palimpsest/core/authoring';

/**
 * The group at which the newest `count` turns begin; 0 when the transcript has fewer. A turn is one or more consecutive
 * messages of a person and everything that answers them.
 */
export function newestTurnsStart(transcript: Transcript, isFromPerson: PersonRecognizer, count: number): number {
  const { messages } = transcript;
  const opensTurn = (at: number): boolean => messages[at]!.role === 'user' && isFromPerson(messages[at]!, at, messages);
  let found = 0;
  for (let at = messages.length - 1; at >= 0; at--)
    if (opensTurn(at) && !(at > 0 && opensTurn(at - 1)) && ++found >= count) return transcript.groupOf(at);
  return 0;
}

/** The first group of the turns to keep by `keepLastTurns`; `Infinity` if it is not asked for. */
export function startOfKeptTurns(
  transcript: Transcript,
  { keepLastTurns = 0 }: CompressOptions,
  isFromPerson: PersonRecognizer,
): number {
  return keepLastTurns > 0 ? newestTurnsStart(transcript, isFromPerson, keepLastTurns) : Infinity;
}
