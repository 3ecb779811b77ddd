import {
  type CompressResult,
  isToolResult,
  type Message,
  type MessageOutcome,
  toolCallInput,
  toolCallName,
  toolCalls,
} from '@palimpsest/core';
import type { Projection } from '../checkpoints/checkpoint-chain.ts';
import type { RemovedResult } from '../options/session-hooks.ts';

/**
 * The tool results that the model no longer sees in full after a compaction.
 * @param source the repaired conversation
 * @param before what the model saw
 */
export function listRemovedResults(
  source: readonly Message[],
  before: Projection,
  { basis, provenance }: Pick<CompressResult<Message>, 'basis' | 'provenance'>,
): RemovedResult[] {
  if (basis === 'transcript') return collectRemoved(before.messages, provenance.source);
  const outcomes = provenance.source.map((outcome, index): MessageOutcome | null => {
    const { kind } = before.provenance.source[index]!;
    // A result that was shortened before is reported again only when it is removed.
    return kind === 'kept' || (kind === 'rewritten' && outcome.kind !== 'rewritten') ? outcome : null;
  });
  return collectRemoved(source, outcomes);
}

/** @param outcomes by message; `null` for one that is not reported */
function collectRemoved(messages: readonly Message[], outcomes: readonly (MessageOutcome | null)[]): RemovedResult[] {
  const removed: RemovedResult[] = [];
  let caller = -1;
  messages.forEach((message, index) => {
    if (!isToolResult(message)) {
      if (message.role === 'assistant') caller = index;
      return;
    }
    const outcome = outcomes[index];
    if (!outcome || outcome.kind === 'kept' || outcome.kind === 'carried') return;
    const call = caller < 0 ? undefined : toolCalls(messages[caller]!).find(({ id }) => id === message.tool_call_id);
    const legacy = caller < 0 ? null : messages[caller]!.function_call;
    removed.push({
      toolCallId: message.tool_call_id ?? '',
      toolName: call ? toolCallName(call) : (legacy?.name ?? message.name ?? ''),
      input: call ? toolCallInput(call) : (legacy?.arguments ?? ''),
      outcome: outcome.kind === 'rewritten' ? 'shortened' : outcome.kind,
    });
  });
  return removed;
}
