import { contentText } from '@palimpsest/core';
import type { Transcript } from '@palimpsest/core/authoring';
import type { ToolUse } from './tool-use.ts';

/** Tool results made redundant by a later result. */
export interface StaleResults {
  /** `duplicate`: a later result has the same text. `repeated`: the same call was made again later, with another result. */
  readonly kind: 'duplicate' | 'repeated';
  readonly results: number;
  readonly tokens: number;
}

/** Minimum length in characters. A shorter result costs less than the stub that would replace it. */
const shortestResult = 200;

/** Finds stale results by equal texts and equal calls, without knowledge of specific tools. */
export function staleResults(transcript: Transcript, uses: readonly ToolUse[]): readonly StaleResults[] {
  const texts = new Set<string>();
  const calls = new Set<string>();
  const duplicate = { kind: 'duplicate' as const, results: 0, tokens: 0 };
  const repeated = { kind: 'repeated' as const, results: 0, tokens: 0 };
  for (const { tool, input, resultAt } of uses.toReversed()) {
    if (resultAt === null) continue;
    const text = contentText(transcript.messages[resultAt]!.content);
    const call = JSON.stringify([tool, input]);
    const stale = texts.has(text) ? duplicate : calls.has(call) ? repeated : null;
    if (stale && text.length >= shortestResult) {
      stale.results++;
      stale.tokens += Math.round(transcript.tokens(resultAt));
    }
    texts.add(text);
    calls.add(call);
  }
  return [duplicate, repeated].filter((stale) => stale.results > 0);
}
