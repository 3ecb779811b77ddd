/**
 * The place in a row or column that a key leads to; `null` for any other key.
 * @param of how many places there are
 * @param page places that Page Up and Page Down move by
 */
export function stepTo(key: string, at: number, of: number, page: number): number | null {
  const to: number | undefined = {
    ArrowRight: at + 1,
    ArrowDown: at + 1,
    ArrowLeft: at - 1,
    ArrowUp: at - 1,
    PageDown: at + page,
    PageUp: at - page,
    Home: 0,
    End: of - 1,
  }[key];
  return to === undefined || of === 0 ? null : Math.min(Math.max(to, 0), of - 1);
}
