import { isToolResult, type Message, type Provenance, toolCallInput, toolCallName, toolCalls } from '@palimpsest/core';
import type { RemovedResult } from '../hooks/session-hooks.ts';

/** The tool results that the model no longer sees in full after a compaction. */
export function removedResults(messages: readonly Message[], provenance: Provenance): RemovedResult[] {
  const removed: RemovedResult[] = [];
  let caller = -1;
  messages.forEach((message, index) => {
    if (!isToolResult(message)) {
      if (message.role === 'assistant') caller = index;
      return;
    }
    const outcome = provenance.source[index];
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
