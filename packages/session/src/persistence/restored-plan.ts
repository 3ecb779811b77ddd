import { changedUserWords, contentText, type Edit, isSystem, type Message, type ReplaceEdit } from '@palimpsest/core';

/** Why a stored plan is not used. */
export class PlanRefused extends Error {}

/**
 * Checks a plan that came from a store against the conversation it is about. Whoever can write to a store must not be
 * able to change what the user said or what the system prompt says: the user's words in a plan are exactly those of the
 * messages it carries, and text of the user's messages is never rewritten.
 * @param signed true when the host's key vouches for the store: then notes on system messages and pictures the host made
 *   smaller are taken over, too
 * @returns the edits to apply
 * @throws {PlanRefused}
 */
export function checkRestoredPlan(edits: readonly Edit[], covered: readonly Message[], signed: boolean): Edit[] {
  return edits.flatMap((edit): Edit[] => {
    const message = edit.kind === 'rewrite' ? covered[edit.at] : undefined;
    if (edit.kind === 'rewrite') {
      if (!message) throw new PlanRefused('It is about messages the conversation does not have.');
      if (isSystem(message)) {
        if (!signed) return [];
        if (!contentText(edit.set.content ?? message.content).startsWith(contentText(message.content)))
          throw new PlanRefused('It changes a system message.');
      }
    }
    const problem = changedUserWords(edit, covered, { mediaMayChange: signed });
    if (problem) throw new PlanRefused(problem);
    return [edit.kind === 'replace' && !signed ? withoutFolds(edit) : edit];
  });
}

/** Without a key, nobody who writes to the store takes an instruction of the host away: its message stands again. */
function withoutFolds({ folds: _, ...edit }: ReplaceEdit): ReplaceEdit {
  return edit;
}
