import { isRecallTool, readToolName, toolClass } from '@palimpsest/agents';
import { type Message, type ToolCall, toolCallInput, toolCallName, toolCalls } from '@palimpsest/core';
import type { CompactionAftermath } from '../events/compaction-record.ts';
import type { SessionParts } from '../parts/session-parts.ts';

/** Tools that look something up. Repeating such a call is what a compaction may cost. */
const lookups: ReadonlySet<string> = new Set(['read', 'search', 'browse', 'fetch']);

/** Brings the record of the compaction in effect up to date: what the agent did since. */
export function noteAftermath(
  { compactions: { log } }: SessionParts,
  checkpoint: number | null,
  history: readonly Message[],
): void {
  const record = log.records.find(({ number }) => number === checkpoint);
  if (!record || history.length <= record.historyMessages) return;
  log.change(record.number, { aftermath: aftermathOf(history, record.historyMessages) });
}

/** @param at number of messages that the history had at the compaction */
function aftermathOf(history: readonly Message[], at: number): CompactionAftermath {
  const before = new Set(history.slice(0, at).flatMap((message) => toolCalls(message).map(keyOf)));
  let requests = 0;
  let repeatedCalls = 0;
  let recallCalls = 0;
  let requestsToEdit: number | null = null;
  for (const message of history.slice(at)) {
    if (message.role !== 'assistant') continue;
    requests++;
    for (const call of toolCalls(message)) {
      const name = toolCallName(call);
      const kind = toolClass(readToolName(name).tool);
      if (isRecallTool(name)) recallCalls++;
      else if (lookups.has(kind) && before.has(keyOf(call))) repeatedCalls++;
      if (kind === 'write') requestsToEdit ??= requests;
    }
  }
  return { requests, repeatedCalls, recallCalls, requestsToEdit };
}

function keyOf(call: ToolCall): string {
  return `${toolCallName(call)}\n${toolCallInput(call)}`;
}
