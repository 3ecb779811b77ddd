import type { JSX } from 'preact';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { useSize } from '../size.ts';
import { useColours } from '../use-colours.ts';
import { blockAt, edgesOf } from './layout.ts';
import { type Painted, paintStrip } from './paint.ts';

interface StripProps {
  readonly label: string;
  readonly kind: 'source' | 'outcome' | 'output';
  readonly blocks: readonly Painted[];
  /** Tokens that fill the whole width. */
  readonly scale: number;
  /** Index of the selected block; `null` if none. */
  readonly selected: number | null;
  /** Describes a block. */
  words(index: number): string;
  /** Called when a block is hovered, or chosen by click or keyboard. */
  onLook(index: number, chosen: boolean): void;
  onLeave(): void;
}

const stride = 10;

/**
 * A strip of messages with widths proportional to their tokens. It is one tab stop; arrow keys move between messages, and
 * screen readers announce `words`.
 */
export function Strip({ label, kind, blocks, scale, selected, words, onLook, onLeave }: StripProps): JSX.Element {
  const canvas = useRef<HTMLCanvasElement>(null);
  const size = useSize(canvas);
  const colours = useColours();
  const { width } = size;
  const edges = useMemo(
    () =>
      edgesOf(
        blocks.map((block) => block.tokens),
        scale,
        width,
      ),
    [blocks, scale, width],
  );
  useLayoutEffect(() => {
    if (canvas.current && size.width > 0) paintStrip(canvas.current, size, colours, blocks, edges, selected);
  }, [size, colours, blocks, edges, selected]);

  const under = (event: MouseEvent): number => blockAt(edges, event.offsetX);
  // Keys may be pressed faster than the page is rendered.
  const at = useRef(0);
  at.current = selected ?? 0;
  const walk = (event: KeyboardEvent): void => {
    const last = blocks.length - 1;
    const to = destination(event.key, at.current, last);
    if (to === null || last < 0) return;
    event.preventDefault();
    at.current = Math.min(Math.max(to, 0), last);
    onLook(at.current, true);
  };
  const beyond = edges.at(-1) ?? 0;
  return (
    <canvas
      ref={canvas}
      class={`strip ${kind}`}
      tabIndex={0}
      role="slider"
      aria-label={label}
      aria-orientation="horizontal"
      aria-valuemin={1}
      aria-valuemax={Math.max(blocks.length, 1)}
      aria-valuenow={(selected ?? 0) + 1}
      aria-valuetext={blocks.length > 0 ? words(selected ?? 0) : 'no message'}
      onPointerMove={(event) => {
        if (event.offsetX <= beyond) onLook(under(event), false);
      }}
      onPointerLeave={onLeave}
      onClick={(event) => {
        if (event.offsetX <= beyond) onLook(under(event), true);
      }}
      onFocus={() => {
        if (blocks.length > 0) onLook(selected ?? 0, false);
      }}
      onKeyDown={walk}
    />
  );
}

function destination(key: string, at: number, last: number): number | null {
  switch (key) {
    case 'ArrowRight':
    case 'ArrowDown':
      return at + 1;
    case 'ArrowLeft':
    case 'ArrowUp':
      return at - 1;
    case 'PageDown':
      return at + stride;
    case 'PageUp':
      return at - stride;
    case 'Home':
      return 0;
    case 'End':
      return last;
    default:
      return null;
  }
}
