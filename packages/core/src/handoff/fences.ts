/** Matches a line that opens or closes a code fence (CommonMark 0.31, 4.5), also within a list. */
const fenceLine: RegExp = /^[ \t]{0,12}(`{3,}|~{3,})([^\n]*)$/gm;

/** Lines of a text that belong to a code fence. Offsets. */
export interface FenceRange {
  readonly from: number;
  /** The end of the closing line; the end of the text if the fence is not closed. */
  readonly to: number;
  readonly isClosed: boolean;
}

interface Fence {
  readonly from: number;
  readonly to: number;
  readonly mark: string;
  /** False for a line with an info string, which only opens. */
  readonly mayClose: boolean;
}

/**
 * Finds the code fences of a text that a person pasted. Quoted text may contain fences, and nothing shows to
 * whom a bare line belongs. So if the lines do not pair up, all from the first one on counts as quoted: quoted text must
 * not become a person's words. Linear time.
 */
export function findPastedFences(text: string): FenceRange[] {
  const ranges: FenceRange[] = [];
  let open: Fence | null = null;
  let depth = 0;
  for (const fence of fencesIn(text)) {
    if (!open) [open, depth] = [fence, 1];
    else if (belongsTo(fence, open)) {
      depth += fence.mayClose ? -1 : 1;
      if (depth > 0) continue;
      ranges.push({ from: open.from, to: fence.to, isClosed: true });
      open = null;
    }
  }
  return open ? [{ from: ranges[0]?.from ?? open.from, to: text.length, isClosed: false }] : ranges;
}

/**
 * Returns the end of the fence with which a text begins, for a text that somebody else may have written: the last line
 * that can close it. -1 if it is not closed, or if its lines do not pair up.
 */
export function closingFence(text: string): number {
  const [open, ...rest] = fencesIn(text);
  if (!open) return -1;
  const inner = rest.filter((fence) => belongsTo(fence, open));
  const closing = inner.filter(({ mayClose }) => mayClose);
  const last = inner.at(-1);
  const isPaired = inner.length % 2 === 1 && closing.length * 2 > inner.length;
  return last?.mayClose && isPaired ? last.to : -1;
}

/** True for a line that can close a fence, or open another one within it. */
function belongsTo(fence: Fence, open: Fence): boolean {
  return fence.mark.startsWith(open.mark);
}

function fencesIn(text: string): Fence[] {
  return [...text.matchAll(fenceLine)].flatMap(({ 0: line, 1: mark = '', 2: info = '', index }): Fence[] => {
    // With a backtick in the info string, it is inline code.
    if (mark.startsWith('`') && info.includes('`')) return [];
    return [{ from: index, to: index + line.length, mark, mayClose: info.trim() === '' }];
  });
}
