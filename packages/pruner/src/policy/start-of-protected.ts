import { isToolResult } from '@palimpsest/core';
import type { Transcript } from '@palimpsest/core/authoring';
import type { PolicySettings } from './policy-settings.ts';

/** Returns the index at which the protected part of a transcript begins. Messages before it are old. */
export function startOfProtected(transcript: Transcript, policy: PolicySettings): number {
  const { protect } = policy;
  const byTokens =
    'tokens' in protect
      ? newestToolOutput(transcript, protect.tokens)
      : newestMessages(transcript, protect.transcript, protect.messages!);
  return Math.min(byTokens, startOfTurns(transcript, policy), transcript.pendingCalls?.from ?? transcript.length);
}

/** Index after the newest tool result that no longer fits into the budget. */
function newestToolOutput(transcript: Transcript, budget: number): number {
  let left = budget;
  for (let index = transcript.length - 1; index >= 0; index--) {
    if (!isToolResult(transcript.messages[index]!)) continue;
    left -= transcript.tokens(index);
    if (left < 0) return index + 1;
  }
  return 0;
}

/** Start of the oldest group that fits into the budget, or is needed to reach the minimum number of messages. */
function newestMessages(transcript: Transcript, budget: number, minimum: number): number {
  let start = transcript.length;
  for (let group = transcript.groups.length - 1; group >= 0; group--) {
    const { from } = transcript.groups[group]!;
    if (transcript.tokensBetween(from, transcript.length) > budget && transcript.length - start >= minimum) break;
    start = from;
  }
  return start;
}

/**
 * Returns the start of the last `keepTurns` turns; the end when `keepTurns` is 0. Every user message begins a turn;
 * with `isFromPerson`, every run of a person's messages begins one instead. If there is no older turn and
 * `stepsForTurns` is true, returns the start of the last `keepTurns` tool exchanges.
 */
export function startOfTurns(
  transcript: Transcript,
  { keepTurns, isFromPerson, stepsForTurns }: PolicySettings,
): number {
  const { messages } = transcript;
  let start = messages.length;
  let turns = 0;
  let inRun = false;
  for (let at = messages.length - 1; at >= 0; at--) {
    const opens = messages[at]!.role === 'user' && (isFromPerson === null || isFromPerson(messages[at]!, at, messages));
    const continuesRun = opens && inRun && isFromPerson !== null;
    if (opens && !continuesRun && turns++ === keepTurns) return start;
    if (opens) start = at;
    inRun = opens;
  }
  if (keepTurns === 0) return start;
  if (stepsForTurns) return startOfExchanges(transcript, keepTurns);
  return turns < keepTurns ? 0 : start;
}

/** Start of the last `count` tool exchanges; 0 when there are fewer. */
function startOfExchanges({ groups }: Transcript, count: number): number {
  let found = 0;
  for (let group = groups.length - 1; group >= 0; group--)
    if (groups[group]!.kind === 'calls' && ++found === count) return groups[group]!.from;
  return 0;
}
