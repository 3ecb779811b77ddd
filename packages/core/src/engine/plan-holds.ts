import { PalimpsestError } from '../errors.ts';
import type { EngineHost } from '../host/host.ts';
import { isJsonValue } from '../json/json-value.ts';
import type { Message } from '../messages/message.ts';
import type { Applied } from '../plans/apply.ts';
import { checkContract } from '../plans/contract-check.ts';
import type { Edit } from '../plans/edit.ts';
import { findChangedWords } from '../plans/find-changed-words.ts';
import { indicesIn } from '../plans/inserted-message.ts';
import type { Transcript } from '../transcript/transcript.ts';
import type { Plan, PlanSource } from './planner.ts';

/** What a plan was made from: the transcript to compact, and the history that it is a projection of. */
export interface PlannedFrom {
  readonly transcript: Transcript;
  readonly source?: PlanSource | undefined;
}

/**
 * The transcript that the edits of a plan are relative to.
 * @throws {PalimpsestError} `PLAN_INVALID` when the plan's basis is a source and none was given
 */
export function basisOf<S>({ basis = 'transcript' }: Plan<S>, { transcript, source }: PlannedFrom): Transcript {
  if (basis === 'transcript') return transcript;
  if (basis === 'source' && source) return source.transcript;
  const problem = basis === 'source' ? 'no source was given' : 'it is neither "transcript" nor "source"';
  throw new PalimpsestError('PLAN_INVALID', `The basis "${basis}" of the plan cannot be used: ${problem}.`, {
    edit: -1,
  });
}

/**
 * Checks an applied plan before it is committed.
 * @param transcript the transcript that the plan's edits are relative to
 * @throws {PalimpsestError} `INVARIANT_VIOLATED`, with every violation in `details`
 */
export function checkPlanHolds<S>(
  { name: engine, host }: { readonly name: string; readonly host: EngineHost },
  transcript: Transcript,
  applied: Applied<Message>,
  plan: Plan<S>,
): void {
  const violations = checkContract(transcript, applied, host.dialect).map(
    ({ invariant, reason }) => `invariant ${invariant}: ${reason}`,
  );
  plan.edits.forEach((edit, position) => {
    const changed = findChangedWords(edit, transcript.messages, { reader: host.reader, mediaMayChange: true });
    if (changed !== null) violations.push(`edit ${position} changes the user's words: ${changed}`);
  });
  const twice = findCarriedTwice(plan.edits);
  if (twice !== null) violations.push(`message ${twice} is carried twice`);
  if (!isJsonValue(plan.state)) violations.push('the state of the plan is not JSON');
  if (violations.length === 0) return;
  throw new PalimpsestError(
    'INVARIANT_VIOLATED',
    `The plan of engine "${engine}" was discarded, and the transcript stays unchanged: ${violations[0]}${violations.length > 1 ? ` (and ${violations.length - 1} more)` : ''}.`,
    { engine, violations },
  );
}

/**
 * Returns the index of a message that a plan carries or quotes more than once, or `null`. Composed plans may contain
 * one.
 */
function findCarriedTwice(edits: readonly Edit[]): number | null {
  const seen = new Set<number>();
  for (const edit of edits)
    for (const inserted of edit.kind === 'replace' ? edit.with : [])
      for (const at of indicesIn(inserted)) {
        if (seen.has(at)) return at;
        seen.add(at);
      }
  return null;
}
