import { isBlank, readHandoff, requestContent, type Transcript } from '@palimpsest/core';
import { withoutClosing } from './template/closing.ts';

/** What earlier compactions left in a transcript. */
export interface Rehydrated {
  /** The bodies of all handoffs, oldest first; `null` when there is none. */
  readonly previousSummary: string | null;
  /** Index of the newest message that carries a handoff; -1 when there is none. */
  readonly at: number;
}

/**
 * Reads the state out of a transcript: an earlier handoff is state, not history. What only memory knows and no handoff
 * in this transcript confirms belongs to another session, and is not used.
 */
export function rehydrate(transcript: Transcript): Rehydrated {
  const bodies: string[] = [];
  let at = -1;
  transcript.messages.forEach((message, index) => {
    const handoff = readHandoff(message);
    if (!handoff) return;
    at = index;
    const body = withoutClosing(handoff.body);
    if (body !== '') bodies.push(body);
  });
  return { previousSummary: bodies.length > 0 ? bodies.join('\n\n') : null, at };
}

/** The messages of `[from, to)` that a summary has to cover: no system message, and of a handoff only what its host says. */
export function sourcesOf(transcript: Transcript, from: number, to: number): number[] {
  const sources: number[] = [];
  for (let index = from; index < to; index++) {
    const message = transcript.messages[index]!;
    if (message.role === 'system' || message.role === 'developer') continue;
    if (readHandoff(message) && isBlank(requestContent(message))) continue;
    sources.push(index);
  }
  return sources;
}
