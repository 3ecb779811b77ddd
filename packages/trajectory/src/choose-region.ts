import { type TurnKind, turnKinds } from './row/turn-kind.ts';

/** A half-open range of turns. */
export interface TurnRange {
  readonly from: number;
  readonly to: number;
}

/** The turns to replace. `tokens` counts these turns. */
export interface ChosenRegion {
  readonly region: TurnRange;
  readonly tokens: number;
  /** True if replacing them is enough to meet the target. */
  readonly reachesTarget: boolean;
}

/** Input of {@link chooseRegion}. */
export interface RegionInput {
  readonly kinds: readonly TurnKind[];
  /** Tokens of each turn. */
  readonly tokens: readonly number[];
  readonly totalTokens: number;
  readonly targetTokens: number;
  /** Largest size of the summary in tokens. */
  readonly summaryTokens: number;
  /** Number of turns at the end that are never replaced. */
  readonly protectLast: number;
}

/** A turn with the tool turns that follow it. A region never splits a group. */
interface Group extends TurnRange {
  readonly tokens: number;
}

/**
 * Chooses the turns that a summary replaces: the fewest turns from the start of the middle that free the excess tokens
 * plus the summary's own, or the whole middle if that is not enough. A tool turn is never separated from its gpt turn.
 *
 * The middle lies between the protected first turns (the first system, human, gpt and tool turn) and the protected last
 * turns. If one of the first turns comes so late that the turns after it are not enough, the largest run of turns
 * between two protected turns is used.
 * @returns `nothing-between` if everything is protected, `middle-too-small` if the middle is no larger than the summary
 */
export function chooseRegion(input: RegionInput): ChosenRegion | 'nothing-between' | 'middle-too-small' {
  const { totalTokens, targetTokens, summaryTokens } = input;
  const runs = findUnprotectedRuns(input);
  const lastRun = runs.at(-1);
  if (lastRun === undefined) return 'nothing-between';
  const needed = totalTokens - targetTokens + summaryTokens;
  const middle =
    sizeOf(lastRun) >= needed
      ? lastRun
      : runs.reduce((largest, run) => (sizeOf(run) > sizeOf(largest) ? run : largest));
  if (sizeOf(middle) <= summaryTokens) return 'middle-too-small';
  let tokens = 0;
  let to = middle[0]!.from;
  for (const group of middle) {
    if (tokens >= needed) break;
    tokens += group.tokens;
    to = group.to;
  }
  return { region: { from: middle[0]!.from, to }, tokens, reachesTarget: tokens >= needed };
}

/** Finds runs of consecutive unprotected groups, in order. */
function findUnprotectedRuns({ kinds, tokens, protectLast }: RegionInput): Group[][] {
  const firsts = turnKinds.map((kind) => kinds.indexOf(kind));
  const runs: Group[][] = [];
  let run: Group[] = [];
  for (let from = 0, to = 1; from < kinds.length; from = to++) {
    while (kinds[to] === 'tool') to++;
    if (to > kinds.length - protectLast || firsts.some((first) => first >= from && first < to)) {
      run = [];
    } else {
      if (run.length === 0) runs.push(run);
      run.push({ from, to, tokens: tokens.slice(from, to).reduce((sum, one) => sum + one, 0) });
    }
  }
  return runs;
}

function sizeOf(groups: readonly Group[]): number {
  return groups.reduce((total, group) => total + group.tokens, 0);
}
