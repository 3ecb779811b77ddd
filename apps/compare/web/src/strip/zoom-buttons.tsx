import type { JSX } from 'preact';
import { wholeStrip, type Zoom, zoomBy } from './zoom.ts';

interface ZoomButtonsProps {
  readonly zoom: Zoom;
  onZoom(zoom: Zoom): void;
}

const step = 2;

/** Zooms all strips together, around the middle of the visible part. */
export function ZoomButtons({ zoom, onZoom }: ZoomButtonsProps): JSX.Element {
  const middle = (zoom.from + zoom.to) / 2;
  const isWhole = zoom.to - zoom.from === 1;
  return (
    <fieldset class="zoom">
      <legend class="unseen">Zoom of the strips</legend>
      <button type="button" class="button" aria-label="Zoom in" onClick={() => onZoom(zoomBy(zoom, step, middle))}>
        +
      </button>
      <button
        type="button"
        class="button"
        aria-label="Zoom out"
        disabled={isWhole}
        onClick={() => onZoom(zoomBy(zoom, 1 / step, middle))}
      >
        −
      </button>
      <button type="button" class="button" disabled={isWhole} onClick={() => onZoom(wholeStrip)}>
        Whole
      </button>
    </fieldset>
  );
}
