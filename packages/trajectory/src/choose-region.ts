import type { TurnKind } from './turn-kind.ts';

/** A half-open range of turns. */
export interface TurnRange {
  readonly from: number;
  readonly to: number;
}

/** The turns to replace, or why none can be replaced. `tokens` counts these turns. */
export type RegionChoice =
  | { readonly kind: 'region'; readonly region: TurnRange; readonly tokens: number; readonly reachesTarget: boolean }
  /** Everything is protected. */
  | { readonly kind: 'nothing-between' }
  /** The middle is no larger than the summary that would replace it. */
  | { readonly kind: 'middle-too-small'; readonly tokens: number };

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
  readonly isProtected: boolean;
  readonly tokens: number;
}

/**
 * Chooses the turns that a summary replaces: the fewest turns from the start of the middle that free the excess tokens
 * plus the summary's own, or the whole middle if that is not enough. A tool turn is never separated from its gpt turn.
 *
 * The middle lies between the protected first turns (the first system, human, gpt and tool turn) and the protected last
 * turns. If one of the first turns comes so late that the turns after it are not enough, the largest run of turns
 * between two protected turns is used.
 */
export function chooseRegion(input: RegionInput): RegionChoice {
  const { tokens, totalTokens, targetTokens, summaryTokens } = input;
  const runs = unprotectedRuns(groupTurns(input));
  if (runs.length === 0) return { kind: 'nothing-between' };
  const needed = totalTokens - targetTokens + summaryTokens;
  const lastRun = runs.at(-1)!;
  const middle =
    sizeOf(lastRun) >= needed
      ? lastRun
      : runs.reduce((largest, run) => (sizeOf(run) > sizeOf(largest) ? run : largest));
  const middleTokens = sizeOf(middle);
  if (middleTokens <= summaryTokens) return { kind: 'middle-too-small', tokens: middleTokens };
  let taken = 0;
  let to = middle[0]!.from;
  for (const group of middle) {
    taken += group.tokens;
    to = group.to;
    if (taken >= needed) break;
  }
  const region = { from: middle[0]!.from, to };
  return { kind: 'region', region, tokens: sum(tokens, region), reachesTarget: taken >= needed };
}

function groupTurns({ kinds, tokens, protectLast }: RegionInput): Group[] {
  const firsts = new Set((['system', 'human', 'gpt', 'tool'] as const).map((kind) => kinds.indexOf(kind)));
  const tail = kinds.length - protectLast;
  const groups: Group[] = [];
  for (let from = 0; from < kinds.length; ) {
    let to = from + 1;
    while (to < kinds.length && kinds[to] === 'tool') to++;
    let isProtected = false;
    for (let index = from; index < to; index++) isProtected ||= index >= tail || firsts.has(index);
    groups.push({ from, to, isProtected, tokens: sum(tokens, { from, to }) });
    from = to;
  }
  return groups;
}

/** Finds runs of consecutive unprotected groups, in order. */
function unprotectedRuns(groups: readonly Group[]): Group[][] {
  const runs: Group[][] = [];
  let open = false;
  for (const group of groups) {
    if (group.isProtected) {
      open = false;
    } else if (open) {
      runs.at(-1)!.push(group);
    } else {
      runs.push([group]);
      open = true;
    }
  }
  return runs;
}

function sizeOf(groups: readonly Group[]): number {
  return groups.reduce((total, group) => total + group.tokens, 0);
}

function sum(tokens: readonly number[], { from, to }: TurnRange): number {
  let total = 0;
  for (let index = from; index < to; index++) total += tokens[index]!;
  return total;
}
