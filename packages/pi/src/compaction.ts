import { contentText } from '@palimpsest/core';
import { pi as piCodec } from '@palimpsest/formats';
import type { RequestOptions, Session } from '@palimpsest/session';
import { readStoredMessages } from './history.ts';
import type { PiCompaction, PiCompactionResult } from './pi-api.ts';

/** What a compaction needs besides pi's event. */
export interface CompactionInput {
  readonly systemPrompt: string;
  /** The options of the next request. */
  readonly request: RequestOptions;
}

/**
 * Compacts the whole history of a session, and writes the summary for pi's session file.
 * @returns `null` if there is nothing to summarize
 */
export async function writeCompaction(
  session: Session,
  { branchEntries, customInstructions: focusTopic, preparation, reason, signal }: PiCompaction,
  { systemPrompt, request }: CompactionInput,
): Promise<PiCompactionResult | null> {
  const stored = readStoredMessages(branchEntries);
  const decoded = piCodec.decode({
    systemPrompt,
    messages: session.adapter.remember(stored.map(({ message }) => message)),
  });
  // The agent waits. Only a person who has asked for it waits for a model.
  if (reason !== 'manual' && !focusTopic) session.adapter.forgetSource();
  await session.compact({ messages: decoded.messages, focusTopic: focusTopic ?? undefined, signal });
  const { messages, info } = await session.beforeRequest(decoded.messages, request);
  const { output } = info.provenance;
  const at = output.findLastIndex((origin) => origin.kind === 'inserted' && origin.covers.to > origin.covers.from);
  const handoff = output[at];
  if (handoff?.kind !== 'inserted') return null;
  const next = decoded.origins[handoff.covers.to]?.pieces[0]?.index ?? stored.length - 1;
  const summary = messages.slice(0, at + 1).filter(({ role }) => role !== 'system');
  return {
    summary: summary.map(({ content }) => contentText(content)).join('\n\n'),
    firstKeptEntryId: stored[next]!.id,
    tokensBefore: preparation.tokensBefore,
  };
}
