import type { TurnKind } from './turn-kind.ts';

/** A half-open range of turns. */
export interface TurnRange {
  readonly from: number;
  readonly to: number;
}

/** What is to be replaced, or why nothing is. Tokens are those of the turns in it. */
export type RegionChoice =
  | { readonly kind: 'region'; readonly region: TurnRange; readonly tokens: number; readonly reachesTarget: boolean }
  /** Everything is protected. */
  | { readonly kind: 'nothing-between' }
  /** The middle is no larger than the summary that would replace it. */
  | { readonly kind: 'middle-too-small'; readonly tokens: number };

export interface RegionInput {
  readonly kinds: readonly TurnKind[];
  /** Tokens of each turn. */
  readonly tokens: readonly number[];
  readonly totalTokens: number;
  readonly targetTokens: number;
  /** What the summary may take, in tokens. */
  readonly summaryTokens: number;
  /** How many turns at the end stay as they are. */
  readonly protectLast: number;
}

/** A gpt turn (or any other) with the tool turns behind it: what no edge may separate. */
interface Group extends TurnRange {
  readonly isProtected: boolean;
  readonly tokens: number;
}

/**
 * Chooses the turns a summary replaces: from the start of the middle forward, as few as free what is over the target
 * plus the summary's own tokens, or the whole middle when that does not suffice. A tool turn is never separated from
 * its gpt turn.
 *
 * The middle lies between the first system, human, gpt and tool turns and the last ones. Where one of those firsts
 * comes so late that what lies behind it does not suffice, the largest stretch between two protected turns is taken.
 */
export function chooseRegion(input: RegionInput): RegionChoice {
  const { tokens, totalTokens, targetTokens, summaryTokens } = input;
  const stretches = stretchesOf(groupTurns(input));
  if (stretches.length === 0) return { kind: 'nothing-between' };
  const needed = totalTokens - targetTokens + summaryTokens;
  const behindTheFirsts = stretches.at(-1)!;
  const middle =
    sizeOf(behindTheFirsts) >= needed
      ? behindTheFirsts
      : stretches.reduce((largest, stretch) => (sizeOf(stretch) > sizeOf(largest) ? stretch : largest));
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

/** Runs of unprotected groups, in order. */
function stretchesOf(groups: readonly Group[]): Group[][] {
  const stretches: Group[][] = [];
  let open = false;
  for (const group of groups) {
    if (group.isProtected) {
      open = false;
    } else if (open) {
      stretches.at(-1)!.push(group);
    } else {
      stretches.push([group]);
      open = true;
    }
  }
  return stretches;
}

function sizeOf(groups: readonly Group[]): number {
  return groups.reduce((total, group) => total + group.tokens, 0);
}

function sum(tokens: readonly number[], { from, to }: TurnRange): number {
  let total = 0;
  for (let index = from; index < to; index++) total += tokens[index]!;
  return total;
}
