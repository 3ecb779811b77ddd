import {
  contentText,
  type Edit,
  type ForeignHandoffReader,
  isSystem,
  type Message,
  type ReplaceEdit,
} from '@palimpsest/core';
import { findChangedWords } from '@palimpsest/core/authoring';

/** Thrown for a stored plan that must not be used. The message says why. */
export class PlanRefused extends Error {}

/**
 * Checks a plan from a store against its conversation. Write access to the store must not be enough to change the
 * user's words or the system prompt: a plan holds no user text, only indices of the messages it carries, and the text of
 * user messages is never rewritten.
 * @param signed true when the store is signed with the host's key: notes on system messages and pictures shrunk by the
 * host are then accepted too
 * @param reader knows other systems' handoffs, which a carried message may begin with
 * @returns the edits to apply
 * @throws {PlanRefused}
 */
export function checkRestoredPlan(
  edits: readonly Edit[],
  covered: readonly Message[],
  signed: boolean,
  reader: ForeignHandoffReader,
): Edit[] {
  return edits.flatMap((edit): Edit[] => {
    const message = edit.kind === 'rewrite' ? covered[edit.at] : undefined;
    if (edit.kind === 'rewrite') {
      if (!message) throw new PlanRefused('It edits a message that the conversation does not have.');
      if (isSystem(message)) {
        if (!signed) return [];
        if (!contentText(edit.set.content ?? message.content).startsWith(contentText(message.content)))
          throw new PlanRefused('It changes a system message.');
      }
    }
    if (edit.kind === 'replace' && edit.with.some((inserted) => 'role' in inserted))
      throw new PlanRefused('It inserts a message that is not a handoff.');
    const problem = findChangedWords(edit, covered, { reader, mediaMayChange: signed });
    if (problem) throw new PlanRefused(problem);
    return [edit.kind === 'replace' && !signed ? withoutSummaries(edit) : edit];
  });
}

/** Keeps system messages that an unsigned plan summarizes away: write access to the store must not remove instructions. */
function withoutSummaries({ summarizedSystems: _, ...edit }: ReplaceEdit): ReplaceEdit {
  return edit;
}
