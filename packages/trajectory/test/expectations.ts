import { isSyntheticTurn, systemNotice } from '../src/index.ts';

/** A ShareGPT turn. */
export interface Turn {
  readonly from: string;
  readonly value: string;
}

const toolNames = new Set(['tool', 'observation', 'function_response']);
const callNames = new Set(['gpt', 'function_call']);
const kindOf = (turn: Turn): string =>
  toolNames.has(turn.from) ? 'tool' : callNames.has(turn.from) ? 'gpt' : turn.from === 'user' ? 'human' : turn.from;

export interface Judged {
  /** Descriptions of all violations. */
  readonly faults: readonly string[];
  /** Half-open range of replaced source turns; `null` if none were replaced. */
  readonly region: { readonly from: number; readonly to: number } | null;
}

/**
 * Checks an output against its input: which turns must be there verbatim, which may be missing, and how few. Uses no code
 * of the package except the mark of the inserted turn.
 */
export function judge(
  before: readonly Turn[],
  after: readonly Turn[],
  count: (text: string) => number,
  { targetTokens, summaryTokens, protectLast }: { targetTokens: number; summaryTokens: number; protectLast: number },
): Judged {
  const faults: string[] = [];
  const tokens = before.map(({ value }) => count(value));
  const total = tokens.reduce((sum, one) => sum + one, 0);
  const at = after.findIndex((turn, index) => isSyntheticTurn(turn) && turn.value !== before[index]?.value);
  if (at === -1) {
    if (JSON.stringify(before) !== JSON.stringify(after)) faults.push('changed without a summary');
    return { faults, region: null };
  }
  if (total <= targetTokens) faults.push('compacted although it was small enough');
  const behind = after.length - at - 1;
  const region = { from: at, to: before.length - behind };
  if (region.to <= region.from) faults.push('nothing went, and yet there is a summary');
  after.forEach((turn, index) => {
    if (index === at) return;
    const source = before[index < at ? index : index - at - 1 + region.to]!;
    const isNoticed = source.from === 'system' && turn.value === source.value + systemNotice && index < at;
    if (turn.from !== source.from || (turn.value !== source.value && !isNoticed))
      faults.push(`turn ${index} is another`);
  });
  for (const kind of ['system', 'human', 'gpt', 'tool']) {
    const first = before.findIndex((turn) => kindOf(turn) === kind);
    if (first >= region.from && first < region.to) faults.push(`the first ${kind} turn went`);
  }
  if (region.to > before.length - protectLast) faults.push('one of the last turns went');
  const edges = { start: region.from, end: region.to };
  for (const [edge, index] of Object.entries(edges))
    if (index < before.length && kindOf(before[index]!) === 'tool')
      faults.push(`a tool turn is cut off at the ${edge}`);
  faults.push(...sizeFaults(before, tokens, region, total - targetTokens + summaryTokens));
  return { faults, region };
}

/** True if one turn less, with its tool turns, would not have been enough. */
function sizeFaults(
  before: readonly Turn[],
  tokens: readonly number[],
  { from, to }: { from: number; to: number },
  needed: number,
): string[] {
  let last = to - 1;
  while (last > from && kindOf(before[last]!) === 'tool') last--;
  const sum = (end: number): number => tokens.slice(from, end).reduce((total, one) => total + one, 0);
  return sum(last) >= needed ? ['fewer turns would have been enough'] : [];
}
