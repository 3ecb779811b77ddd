import type { Draft } from '@palimpsest/core/authoring';

/**
 * For every group, the tokens from that group to the end of the transcript. The last entry, for the end itself, is 0.
 * @param weigh returns the tokens of a message, given by index. @default its tokens in the draft
 */
export function tailTokensByGroup(
  draft: Draft,
  weigh: (index: number) => number = (index) => draft.currentTokens(index),
): Float64Array {
  const { groups } = draft.transcript;
  const sums = new Float64Array(groups.length + 1);
  for (let group = groups.length - 1; group >= 0; group--) {
    let own = 0;
    for (let at = groups[group]!.from; at < groups[group]!.to; at++) own += weigh(at);
    sums[group] = sums[group + 1]! + own;
  }
  return sums;
}
