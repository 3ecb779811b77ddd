import { useRef } from 'preact/hooks';
import { panBy, type Zoom } from './zoom.ts';

/** Moves a zoomed strip with the mouse or a finger. */
interface Drag {
  start(event: PointerEvent): void;
  /** Returns true if the strip was moved, so that the pointer looks at no message. */
  move(event: PointerEvent): boolean;
  /** Returns true if the strip was moved since `start`. */
  end(): boolean;
  /** True if the strip was moved between the last `start` and its end. */
  hasMoved(): boolean;
}

/** Smaller movements, in CSS pixels, belong to a click. */
const slack = 4;

/** @param width of the strip in CSS pixels */
export function useDrag(zoom: Zoom, width: number, onZoom: (zoom: Zoom) => void): Drag {
  const drag = useRef<{ readonly x: number; readonly zoom: Zoom; moved: boolean; isDown: boolean } | null>(null);
  return {
    start: ({ clientX: x, button, currentTarget, pointerId }) => {
      if (button !== 0) return;
      drag.current = { x, zoom, moved: false, isDown: true };
      // The strip follows the pointer beyond its edges.
      (currentTarget as Element).setPointerCapture(pointerId);
    },
    move({ clientX }) {
      const { current } = drag;
      if (!current?.isDown || current.zoom.to - current.zoom.from === 1) return false;
      const distance = clientX - current.x;
      current.moved ||= Math.abs(distance) > slack;
      if (current.moved) onZoom(panBy(current.zoom, -distance / width));
      return current.moved;
    },
    end() {
      if (drag.current) drag.current.isDown = false;
      return drag.current?.moved ?? false;
    },
    hasMoved: () => drag.current?.moved ?? false,
  };
}
