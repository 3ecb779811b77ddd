import type { SummaryTemplate } from '@palimpsest/core';
import type { UserWords } from '@palimpsest/work-record';
import { opening, verbatim } from '../template/verbatim.ts';

/** What names a request that stands behind the summary in full: about its first sentence. Tokens. */
const naming = 40;

/** A request as Active Task quotes it, word for word, in at most so many tokens. */
export function taskWords({ text, carried }: UserWords, room: number, template: SummaryTemplate): string {
  return verbatim(opening(text, carried ? Math.min(room, naming) : room), template);
}
