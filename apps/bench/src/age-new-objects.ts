/**
 * Promotes newly parsed objects to V8's old generation, where the messages of a long session are. Otherwise the garbage
 * collector would copy them during the next measurement. Two minor collections do this and discard no compiled code.
 */
export function ageNewObjects(): void {
  // `gc` exists only with `--expose-gc`; the processes that time such work are started with it.
  const collect = globalThis.gc as ((options: { readonly type: 'minor' }) => void) | undefined;
  collect?.({ type: 'minor' });
  collect?.({ type: 'minor' });
}
