import type { JSX } from 'preact';
import { wholeStrip, type Zoom, zoomBy } from './zoom.ts';

interface ZoomButtonsProps {
  readonly zoom: Zoom;
  onZoom(zoom: Zoom): void;
}

/** Zooms all strips together, around the middle of the visible part. */
export function ZoomButtons({ zoom, onZoom }: ZoomButtonsProps): JSX.Element {
  const middle = (zoom.from + zoom.to) / 2;
  const isWhole = zoom.to - zoom.from === 1;
  const button = (text: string, label: string, to: Zoom, isDisabled: boolean): JSX.Element => (
    <button type="button" class="button" aria-label={label} disabled={isDisabled} onClick={() => onZoom(to)}>
      {text}
    </button>
  );
  return (
    <fieldset class="zoom">
      <legend class="unseen">Zoom of the strips</legend>
      {button('+', 'Zoom in', zoomBy(zoom, 2, middle), false)}
      {button('−', 'Zoom out', zoomBy(zoom, 0.5, middle), isWhole)}
      {button('Whole', 'Whole', wholeStrip, isWhole)}
    </fieldset>
  );
}
