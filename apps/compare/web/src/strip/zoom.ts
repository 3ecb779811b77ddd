/** The visible part of the strips, as fractions of their width. All strips show the same part. */
export interface Zoom {
  readonly from: number;
  readonly to: number;
}

/** Shows the whole session. */
export const wholeStrip: Zoom = { from: 0, to: 1 };

/** The smallest visible part: 400K tokens then show about 400 tokens on a screen. */
const minSpan = 0.001;

/** Zooms by a factor around a fixed point, a fraction of the whole strip. Factors above 1 show less. */
export function zoomBy({ from, to }: Zoom, factor: number, at: number): Zoom {
  const span = Math.min(Math.max((to - from) / factor, minSpan), 1);
  const share = (at - from) / (to - from);
  return toZoom(at - share * span, span);
}

/** Moves the visible part by a share of itself. */
export function panBy({ from, to }: Zoom, share: number): Zoom {
  return toZoom(from + share * (to - from), to - from);
}

/** Moves the visible part as little as possible, so that a block lies in it. */
export function panTo(zoom: Zoom, from: number, to: number): Zoom {
  const span = zoom.to - zoom.from;
  if (from >= zoom.from && to <= zoom.to) return zoom;
  return toZoom(from < zoom.from || to - from > span ? from : to - span, span);
}

function toZoom(from: number, span: number): Zoom {
  const start = Math.min(Math.max(from, 0), 1 - span);
  return { from: start, to: start + span };
}

/**
 * The part of one strip that is visible. A strip that is shorter than the session, such as an engine's result, moves
 * only as far as it has blocks.
 */
export function partOf(zoom: Zoom, tokens: readonly number[], scale: number): Zoom {
  const span = zoom.to - zoom.from;
  const filled = scale > 0 ? tokens.reduce((sum, size) => sum + size, 0) / scale : 0;
  if (span === 1 || filled > 0.999) return zoom;
  const from = (zoom.from / (1 - span)) * Math.max(filled - span, 0);
  return { from, to: from + span };
}
