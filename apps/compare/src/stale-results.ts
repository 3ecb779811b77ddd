import { contentText } from '@palimpsest/core';
import type { Transcript } from '@palimpsest/core/authoring';
import type { ToolUse } from './tool-use.ts';

/** Tool results that say nothing which a later one does not say as well. */
export interface StaleResults {
  /** `duplicate`: the same text stands in a later result. `repeated`: the same call was made again later, with another outcome. */
  readonly kind: 'duplicate' | 'repeated';
  readonly results: number;
  readonly tokens: number;
}

/** A shorter result costs less than what would stand in its place. */
const shortestResult = 200;

/** Finds what is stale beyond doubt, without knowing any tool: by equal texts and by equal calls. */
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
