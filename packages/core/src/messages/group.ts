import { hasToolCalls, isToolResult, type Message, toolCalls } from './message.ts';

/**
 * Messages that no edit may separate, because a provider would reject the parts. `calls`: an assistant message with
 * tool calls, its last result, and everything in between. `message`: any other single message.
 */
export interface Group {
  readonly kind: 'calls' | 'message';
  /** Index of the first message. */
  readonly from: number;
  /** Index after the last message. */
  readonly to: number;
}

/**
 * Splits a transcript into its groups, in one pass. Calls and results are matched only up to the next assistant message
 * with calls, because real transcripts reuse call ids. Results directly after an assistant message with calls belong to it even if no call
 * matches them.
 */
export function groupMessages(messages: readonly Message[]): Group[] {
  const groups: Group[] = [];
  for (let from = 0; from < messages.length; ) {
    const to = hasToolCalls(messages[from]!) ? endOfResults(messages, from) : from + 1;
    groups.push({ kind: hasToolCalls(messages[from]!) ? 'calls' : 'message', from, to });
    from = to;
  }
  return groups;
}

function endOfResults(messages: readonly Message[], start: number): number {
  const open = new Map<string, number>();
  for (const call of toolCalls(messages[start]!)) open.set(call.id, (open.get(call.id) ?? 0) + 1);
  let legacy = messages[start]!.function_call ? 1 : 0;
  let end = start + 1;
  for (let index = start + 1; index < messages.length && !hasToolCalls(messages[index]!); index++) {
    const message = messages[index]!;
    if (!isToolResult(message)) {
      if (open.size === 0 && legacy === 0) break;
      continue;
    }
    const id = message.tool_call_id ?? '';
    const waiting = message.role === 'tool' ? (open.get(id) ?? 0) : legacy;
    if (waiting === 0 && index !== end) continue;
    end = index + 1;
    if (waiting === 0) continue;
    if (message.role === 'function') legacy--;
    else if (waiting === 1) open.delete(id);
    else open.set(id, waiting - 1);
  }
  return end;
}
