import type { Edit, Message, Provenance } from '@palimpsest/core';
import type { Replay } from 'palimpsest/comparison/replay/replay';
import type { EngineRow } from 'palimpsest/comparison/run-engine';

/** A prompt on its way from the worker of an engine to the worker that holds the file. */
export interface SentPrompt {
  /** The figures of the prompt. */
  readonly row: EngineRow;
  readonly replay: Replay;
  readonly provenance: Provenance;
  readonly edits: readonly Edit[];
  /** Messages; those that the engine did not change are given by their index. */
  readonly messages: readonly (Message | number)[];
}

/** The messages of a prompt. Unchanged ones are the same objects as in the file, which its format relies on. */
export function messagesOf(sent: SentPrompt, recorded: readonly Message[]): readonly Message[] {
  return sent.messages.map((message) => (typeof message === 'number' ? recorded[message]! : message));
}

/** The provenance for all messages of the file: formats expect an outcome for those after the request, too. */
export function wholeProvenance({ provenance }: SentPrompt, messages: number): Provenance {
  const later = Array.from({ length: messages - provenance.source.length }, () => ({
    kind: 'dropped' as const,
    edit: 0,
    reasons: [],
  }));
  return { ...provenance, source: [...provenance.source, ...later] };
}
