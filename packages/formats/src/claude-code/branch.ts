import type { Entry } from './entry.ts';

/**
 * The lines of the live branch, in the order of the file. A user who goes back and says something else leaves the old
 * branch in the file: where several prompts follow the same message, only the last counts, and with a prompt goes all
 * that hangs on it. Everything else is kept wherever it hangs, because the chain of a log is not the conversation:
 * parallel tool calls, hooks and background agents fork it, and resumed sessions have gaps in it.
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

/** The message each line follows, past all asides; -1 for none. A line whose parent is not there follows the line before. */
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
