import { contentText, isToolResult, type Message, type TokenCounter } from '@palimpsest/core';
import { Transcript } from '@palimpsest/core/authoring';

const protectTokens = 40_000;
const minimumTokens = 20_000;
const turns = 2;

/**
 * Two-phase placeholder pruning, the reference baseline, implemented independently of the pruner. It skips the last two
 * user turns, keeps the newest `protectTokens` of tool output, and replaces older output with a placeholder, except that
 * of protected tools. It does nothing unless it reclaims more than `minimumTokens`.
 */
export function placeholderPruning(
  messages: readonly Message[],
  counter: TokenCounter,
): { readonly messages: readonly Message[]; readonly reclaimedTokens: number } {
  const transcript = Transcript.of(messages, counter);
  const users = messages.flatMap((message, index) => (message.role === 'user' ? [index] : []));
  const end = users.at(-turns) ?? 0;
  const names = new Map<string, string>();
  const output = [...messages];
  let seen = 0;
  let reclaimedTokens = 0;
  for (const message of messages)
    for (const call of message.tool_calls ?? []) if (call.type === 'function') names.set(call.id, call.function.name);
  for (let at = messages.length - 1; at >= 0; at--) {
    const message = messages[at]!;
    if (!isToolResult(message)) continue;
    const length = contentText(message.content).length;
    seen += transcript.tokens(at);
    if (at >= end || seen <= protectTokens || length <= 200) continue;
    if (['skill', 'skill_view', 'clarify', 'memory', 'todo'].includes(names.get(message.tool_call_id ?? '') ?? ''))
      continue;
    const pruned = { ...message, content: `[Tool output pruned - was ${length} chars]` };
    reclaimedTokens += transcript.tokens(at) - counter.countMessage(pruned);
    output[at] = pruned;
  }
  return reclaimedTokens > minimumTokens ? { messages: output, reclaimedTokens } : { messages, reclaimedTokens: 0 };
}
