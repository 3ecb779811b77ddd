import type { Share } from '../../measuring/kept.ts';
import type { EngineRow } from '../../measuring/run-engine.ts';

/** An engine with the figures by which the engines of one session are compared. */
export interface Candidate {
  readonly engine: string;
  /** The cost of the replay in dollars; the tokens that are left if a session was not replayed. Less is better. */
  readonly price: number;
  readonly kept: Readonly<Record<'changedFiles' | 'userMessages' | 'names', Share>>;
  /** False if a provider would reject a prompt, or if the request is lost. */
  readonly isUsable: boolean;
}

/** @param over number of requests of its replay that do not fit the window */
export function isUsable(row: Pick<EngineRow, 'fitsWindow' | 'taskKept' | 'wireViolations'>, over: number): boolean {
  return row.fitsWindow && row.taskKept !== false && row.wireViolations === 0 && over === 0;
}

/** The rule by which one engine is better than another. The documentation of `compare` states it. */

/** Smaller differences in price do not count: token counts are estimates, and prices examples. */
const cheaperShare = 0.1;
/** Smaller differences in what is kept do not count, except for changed files. */
const noticeableShare = 0.1;
/** An engine that keeps more than this share less of the user's messages is not better because it is cheaper. */
const maxLessKept = 0.25;

/** True if the price of `a` is at least a tenth below that of `b`. */
export function isCheaper(a: number, b: number): boolean {
  return b > 0 && (b - a) / b >= cheaperShare;
}

/** The share of the user messages or names that `a` keeps and `b` does not; negative if `b` keeps more. */
function differenceIn(a: Candidate, b: Candidate, kind: 'userMessages' | 'names'): number {
  const { kept, of } = a.kept[kind];
  return of === 0 ? 0 : (kept - b.kept[kind].kept) / of;
}

/**
 * Whether `a` is better than `b`: it is cheaper and keeps the changed files and about as many messages of the user, or it
 * costs about the same and keeps more. Names do not outweigh a price, because the search tool finds them.
 * Neither is better if the cheaper one keeps much less, if each keeps more of something, or if nothing differs much.
 */
export function isBetter(a: Candidate, b: Candidate): boolean {
  const files = a.kept.changedFiles.kept - b.kept.changedFiles.kept;
  const messages = differenceIn(a, b, 'userMessages');
  const shares = [messages, differenceIn(a, b, 'names')];
  if (isCheaper(a.price, b.price)) return files >= 0 && messages >= -maxLessKept;
  if (isCheaper(b.price, a.price)) return false;
  const isMore = files > 0 || shares.some((share) => share >= noticeableShare);
  const isLess = files < 0 || shares.some((share) => share <= -noticeableShare);
  return isMore && !isLess;
}

/** The usable engine that is better than every other usable one; `null` if no engine is, or if there is only one. */
export function bestEngine(candidates: readonly Candidate[]): Candidate | null {
  const usable = candidates.filter((one) => one.isUsable);
  if (candidates.length < 2) return null;
  return usable.find((one) => usable.every((other) => other === one || isBetter(one, other))) ?? null;
}
