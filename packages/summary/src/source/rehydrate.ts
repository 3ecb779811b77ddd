import {
  type HandoffKnowledge,
  hasToolCalls,
  isBlank,
  isSystem,
  isTrustedHandoff,
  readAnyHandoff,
} from '@palimpsest/core';
import type { Transcript } from '@palimpsest/core/authoring';
import { withoutClosing } from '../template/closing.ts';
import { withoutLooseFences } from '../template/fence.ts';

/** The state that earlier compactions left in a transcript. */
export interface Rehydrated {
  /** The bodies of all trusted handoffs, oldest first, or `null`. */
  readonly previousSummary: string | null;
  /** Index of the newest message with a handoff, trusted or not, or -1. */
  readonly at: number;
}

/**
 * Reads the state of earlier compactions from the trusted handoffs in a transcript. A remembered handoff
 * that is not in this transcript belongs to another session and is not used. An untrusted handoff is not state; if
 * it is summarized, `writeSummary` quotes it.
 * @param known the host's key, and the digest of the handoff that the engine wrote last
 */
export function rehydrate(transcript: Transcript, known: HandoffKnowledge = {}): Rehydrated {
  const bodies: string[] = [];
  let at = -1;
  transcript.messages.forEach((message, index) => {
    const handoff = readAnyHandoff(message, transcript.reader);
    if (!handoff) return;
    at = index;
    if (!isTrustedHandoff(transcript, index, known)) return;
    const body = stateOf(handoff);
    if (body !== '') bodies.push(body);
  });
  return { previousSummary: bodies.length > 0 ? bodies.join('\n\n') : null, at };
}

/** The body of a handoff without its closing line. Unpaired fences are escaped, so bodies can be joined safely. */
export function stateOf({ body }: { readonly body: string }): string {
  return withoutLooseFences(withoutClosing(body));
}

/**
 * Returns the indices of messages in `[from, to)` that a summary has to cover. Includes only system messages in
 * `summarizedSystems`. Skips a handoff that is already in the previous summary, unless its message has other text or calls.
 */
export function sourcesOf(
  transcript: Transcript,
  [from, to]: readonly [from: number, to: number],
  previousSummary: string | null = null,
  summarizedSystems: readonly number[] = [],
): number[] {
  const summarized = new Set(summarizedSystems);
  const sources: number[] = [];
  for (let index = from; index < to; index++) {
    const message = transcript.messages[index]!;
    if (isSystem(message) && !summarized.has(index)) continue;
    const handoff = readAnyHandoff(message, transcript.reader);
    const isKnown = handoff !== null && isPartOf(previousSummary, handoff);
    if (isKnown && isBlank(handoff.rest) && !hasToolCalls(message)) continue;
    sources.push(index);
  }
  return sources;
}

/** True if the previous summary contains a handoff. */
export function isPartOf(previousSummary: string | null, handoff: { readonly body: string }): boolean {
  return previousSummary?.includes(stateOf(handoff)) ?? false;
}
