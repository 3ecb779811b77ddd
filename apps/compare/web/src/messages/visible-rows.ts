/** Rows rendered above and below those in view. */
const spareRows = 8;

/** The rows `[from, to)` of a list to render, for rows of equal height. All sizes in pixels. */
export function visibleRows(
  count: number,
  rowHeight: number,
  scrollTop: number,
  height: number,
): { readonly from: number; readonly to: number } {
  if (rowHeight <= 0) return { from: 0, to: 0 };
  const from = Math.max(0, Math.floor(scrollTop / rowHeight) - spareRows);
  return { from: Math.min(from, count), to: Math.min(count, Math.ceil((scrollTop + height) / rowHeight) + spareRows) };
}

/** Where to scroll so that a row is in view: as little as possible, or to the middle if it is far away. */
export function scrollTopFor(row: number, rowHeight: number, scrollTop: number, height: number): number {
  const top = row * rowHeight;
  const [above, below] = [scrollTop - top, top + rowHeight - scrollTop - height];
  if (above <= 0 && below <= 0) return scrollTop;
  if (Math.max(above, below) > height / 2) return Math.max(0, top - (height - rowHeight) / 2);
  return above > 0 ? top : scrollTop + below;
}
