import { contentWithoutHandoff, isSystem, readAnyHandoff, type SummaryTemplate } from '@palimpsest/core';
import { type Draft, writeHandoff } from '@palimpsest/core/authoring';
import { formatSummary } from '@palimpsest/summary';
import type { GroupRange } from '../boundaries/find-summarized-range.ts';

/** A range is worth a model call from this many times the size of an empty handoff. */
const minHandoffs = 2;

/**
 * True if a range is worth a model call: its turns have at least twice the tokens of an empty handoff. A smaller range
 * stays, or rules summarize it to meet a target.
 */
export function isWorthModelCall(
  draft: Draft,
  range: GroupRange,
  template: SummaryTemplate,
  isFresh: (index: number) => boolean = () => true,
): boolean {
  const sections = formatSummary(
    template.sections.map(() => 'None.'),
    template,
  );
  const empty = draft.transcript.counter.countText(writeHandoff(sections));
  return tokensSummarized(draft, range, isFresh) >= empty * minHandoffs;
}

/**
 * Tokens in the draft of the turns that summarizing a range would remove: all but system messages, earlier handoffs and
 * the current task.
 */
function tokensSummarized(draft: Draft, [from, to]: GroupRange, isFresh: (index: number) => boolean): number {
  const { groups, messages, task, reader } = draft.transcript;
  let tokens = 0;
  for (let group = from; group < to; group++) {
    for (let at = groups[group]!.from; at < groups[group]!.to; at++) {
      const message = messages[at]!;
      if (!isFresh(at) || isSystem(message) || (task && at >= task.from && at < task.to)) continue;
      const rest = readAnyHandoff(message, reader) ? contentWithoutHandoff(message, reader) : null;
      if (rest === null) tokens += draft.currentTokens(at);
      else if (rest.length > 0) tokens += draft.transcript.countMessage({ ...message, content: rest }, at);
    }
  }
  return tokens;
}
