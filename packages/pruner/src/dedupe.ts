import { isToolResult } from '@palimpsest/core';
import { identities } from './identity.ts';
import type { Strategy } from './strategy.ts';
import { proposeStub } from './stub.ts';

/**
 * Identical results of 200 characters and more: the newest keeps the full text, each older one becomes its stub and says
 * that the same came again. Works anywhere outside of the exchange under way, as nothing is lost; only a newest copy that
 * stays in full is ever pointed at.
 */
export const dedupe: Strategy = {
  name: 'dedupe',
  *propose(view) {
    const { messages } = view.transcript;
    const identify = identities();
    const seen = new Set<string>();
    const candidates: number[] = [];
    const byLength = new Map<number, number>();
    const lengths = new Map<number, number>();
    for (let index = 0; index < messages.length; index++) {
      if (!isToolResult(messages[index]!)) continue;
      const content = messages[index]!.content;
      if (typeof content !== 'string' || content.length < 200) continue;
      candidates.push(index);
      lengths.set(index, content.length);
      byLength.set(content.length, (byLength.get(content.length) ?? 0) + 1);
    }
    for (const index of candidates.reverse()) {
      // A text of a length of its own has no twin, which spares most of them the look at every character.
      if (byLength.get(lengths.get(index)!) === 1) continue;
      const key = identify(messages[index]!.content as string);
      if (!seen.has(key)) {
        // Old copies are stubbed anyway: only a newest one that stays may be pointed at.
        if (index >= view.oldEnd) seen.add(key);
        continue;
      }
      const proposal = proposeStub(view, index, '; the same output came again later');
      if (proposal) yield proposal;
    }
  },
};
