import { type Group, groupMessages } from '../messages/group.ts';
import { isSystem, leadingSystems, type Message } from '../messages/message.ts';
import { linkToOriginal } from '../messages/originals.ts';
import type { Edit, ReplaceEdit } from './edit.ts';
import { type InsertedMessage, indicesIn, toInsertedMessage } from './inserted-message.ts';
import { checkPlan } from './plan-check.ts';
import type { MessageOutcome, Origin, Provenance } from './provenance.ts';

export interface Applied<M extends Message> {
  /** The new transcript; the input array itself when the plan is empty. Unedited messages are the same objects. */
  readonly messages: readonly (M | InsertedMessage)[];
  readonly provenance: Provenance;
}

/**
 * Applies a plan without mutating the input. Unedited messages stay the same objects. System messages in replaced
 * groups stay, after the replacement, unless the edit summarizes them. Inserted messages consist of the plan's handoffs
 * and the messages it carries.
 * @param groups the groups of `messages`, if already computed
 * @throws {PalimpsestError} `PLAN_INVALID`, `PLAN_CONFLICT`
 */
export function apply<M extends Message>(
  messages: readonly M[],
  edits: readonly Edit[],
  groups: readonly Group[] = groupMessages(messages),
): Applied<M> {
  const plan = checkPlan(messages, groups, edits);
  const output: (M | InsertedMessage)[] = [];
  const origins: Origin[] = [];
  const outcomes: MessageOutcome[] = new Array(messages.length);
  // An edit may carry a message that another edit removes, or a message that stays.
  const carriers = new Map<number, { edit: ReplaceEdit; position: number; at: number }>();
  const leading = leadingSystems(messages);
  let next = 0;

  const keep = (until: number): void => {
    for (; next < until; next++) {
      const message = messages[next]!;
      const rewrite = plan.rewrites.get(next);
      if (rewrite) {
        outcomes[next] = {
          kind: 'rewritten',
          at: output.length,
          edit: rewrite.position,
          reasons: rewrite.edit.reasons,
        };
        origins.push({ kind: 'rewritten', from: next, edit: rewrite.position });
        output.push(linkToOriginal({ ...message, ...rewrite.edit.set }, message));
      } else {
        outcomes[next] = { kind: 'kept', at: output.length };
        origins.push({ kind: 'original', from: next });
        output.push(message);
      }
    }
  };

  for (const { edit, position } of plan.replaces) {
    const from = edit.groups[0] === groups.length ? messages.length : groups[edit.groups[0]]!.from;
    const to = edit.groups[0] === edit.groups[1] ? from : groups[edit.groups[1] - 1]!.to;
    keep(from);
    const summarizedSystems = new Set(edit.summarizedSystems);
    keep(Math.max(from, Math.min(to, leading)));
    for (const inserted of edit.with) {
      for (const index of indicesIn(inserted)) carriers.set(index, { edit, position, at: output.length });
      origins.push({ kind: 'inserted', edit: position, covers: { from, to } });
      output.push(toInsertedMessage(inserted, messages));
    }
    // One object for all of them: it is often for thousands of messages.
    const removed = outcomeOfRemoved(edit, position);
    while (next < to) {
      if (isSystem(messages[next]!) && !summarizedSystems.has(next)) keep(next + 1);
      else outcomes[next++] = removed;
    }
  }
  keep(messages.length);
  for (const [index, { edit, position, at }] of carriers) {
    const outcome = outcomes[index]!;
    if (outcome.kind === 'kept' || outcome.kind === 'rewritten') continue;
    outcomes[index] = { kind: 'carried', at, edit: position, reasons: edit.reasons };
  }
  return {
    messages: edits.length === 0 ? messages : output,
    provenance: { output: origins, source: outcomes },
  };
}

function outcomeOfRemoved(edit: ReplaceEdit, position: number): MessageOutcome {
  const summarized = edit.reasons.some((reason) => reason.code === 'summarize');
  return { kind: summarized ? 'summarized' : 'dropped', edit: position, reasons: edit.reasons };
}
