/**
 * Makes what was parsed a moment ago old, as the messages of a session are: the collector would copy it during the next
 * work and be charged to that. Two collections of new objects do it, and throw no compiled code away.
 */
export function ageNewObjects(): void {
  // Absent without `--expose-gc`, which processes that time such work are started with.
  const collect = globalThis.gc as ((options: { readonly type: 'minor' }) => void) | undefined;
  collect?.({ type: 'minor' });
  collect?.({ type: 'minor' });
}
