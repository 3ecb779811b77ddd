import { isToolResult, type Message, type MessageOutcome, type Origin, readHandoff } from '@palimpsest/core';
import type { RecallRef } from '@palimpsest/recall';
import type { Assembled } from './assemble.ts';
import { listHiddenDocuments } from './list-hidden-documents.ts';
import { withoutRef, withoutSentence, withRef, withSentence } from './ref-note.ts';

/** What {@link withRefNotes} needs besides the messages. */
export interface NoteContext {
  /** The caller's messages. */
  readonly source: readonly Message[];
  /** By index of the caller's message; `null` when the request does not have the tools. */
  readonly refs: ReadonlyMap<number, readonly RecallRef[]> | null;
  /** The key of the session's handoffs. */
  readonly key: string;
  /** Masks secrets. */
  readonly redact: (text: string) => string;
}

/**
 * Adds refs to shortened results, and a sentence about the tools and the names of hidden documents to the handoff. The
 * engine writes neither, because both depend on the tools of each request.
 */
export function withRefNotes(assembled: Assembled, { source, refs, key, redact }: NoteContext): Assembled {
  const { messages, provenance } = assembled;
  const changed: number[] = [];
  const note = (message: Message, origin: Origin): Message => {
    if (message.role === 'user') {
      if (refs === null || origin.kind !== 'inserted') return withoutSentence(message, key);
      const length = readHandoff(message)?.body.length ?? 0;
      return withSentence(
        message,
        listHiddenDocuments({ source, refs, provenance, redact }, origin.covers, length),
        key,
      );
    }
    if (!isToolResult(message)) return message;
    const ref = origin.kind === 'rewritten' ? refs?.get(origin.from)?.[0]?.ref : undefined;
    return ref === undefined ? withoutRef(message) : withRef(withoutRef(message), ref);
  };
  const noted = messages.map((message, at) => {
    const sent = note(message, provenance.output[at]!);
    if (sent !== message) changed.push(at);
    return sent;
  });
  if (changed.length === 0) return assembled;
  return { messages: noted, provenance: withChanges(provenance, changed) };
}

/** An original that was changed here is rewritten. */
function withChanges({ output, source }: Assembled['provenance'], changed: readonly number[]): Assembled['provenance'] {
  const origins: Origin[] = [...output];
  const outcomes: MessageOutcome[] = [...source];
  for (const at of changed) {
    const origin = origins[at]!;
    if (origin.kind !== 'original') continue;
    origins[at] = { kind: 'rewritten', from: origin.from, edit: -1 };
    outcomes[origin.from] = { kind: 'rewritten', at, edit: -1, reasons: [{ code: 'session' }] };
  }
  return { output: origins, source: outcomes };
}
