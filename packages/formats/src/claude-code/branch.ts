import type { Entry } from './entry.ts';

/**
 * Returns for each line whether it is part of the live branch. If a user goes back and enters another prompt, the old branch
 * stays in the file: of several prompts after the same message only the last counts, and a dropped prompt takes all its
 * descendants with it. All other lines are live, because the tree of lines differs from the conversation: parallel tool
 * calls, hooks and background agents create forks, and resumed sessions have gaps.
 */
export function liveEntries(entries: readonly Entry[]): boolean[] {
  const anchors = anchorsOf(entries);
  const lastPrompt = new Map<number, number>();
  entries.forEach(({ kind }, at) => {
    if (kind === 'prompt') lastPrompt.set(anchors[at]!, at);
  });
  const live: boolean[] = [];
  entries.forEach(({ kind }, at) => {
    const anchor = anchors[at]!;
    const stands = anchor < 0 || live[anchor]!;
    live.push(stands && (kind !== 'prompt' || lastPrompt.get(anchor) === at));
  });
  return live;
}

/** For each line, the index of its parent, ignoring asides; -1 for none. A missing parent becomes the previous line. */
function anchorsOf(entries: readonly Entry[]): readonly number[] {
  const places = new Map<string, number>();
  const anchors: number[] = [];
  entries.forEach(({ kind, uuid, parent }, at) => {
    const isRoot = parent === null && kind !== 'summary' && kind !== 'boundary';
    const known = typeof parent === 'string' ? places.get(parent) : undefined;
    const before = known ?? (isRoot ? -1 : at - 1);
    anchors.push(before < 0 || entries[before]!.kind !== 'aside' ? before : anchors[before]!);
    if (uuid !== null) places.set(uuid, at);
  });
  return anchors;
}
