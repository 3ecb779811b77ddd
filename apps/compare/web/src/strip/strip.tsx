import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { stepTo } from '../step-to.ts';
import { useColours } from '../use-colours.ts';
import { useLatest } from '../use-latest.ts';
import { useSize } from '../use-size.ts';
import { blockAt, edgesOf } from './layout.ts';
import { type Painted, paintStrip } from './paint.ts';
import { useDrag } from './use-drag.ts';
import { panBy, panTo, partOf, wholeStrip, type Zoom, zoomBy } from './zoom.ts';

/** A size in tokens, drawn as a line across a strip. */
export interface Mark {
  readonly tokens: number;
  readonly words: string;
}

interface StripProps {
  readonly label: string;
  /** What the strip shows, in a word or two next to it. */
  readonly caption: string;
  readonly kind: 'source' | 'outcome' | 'output';
  readonly blocks: readonly Painted[];
  /** Tokens that fill the whole width. */
  readonly scale: number;
  /** @default none */
  readonly mark?: Mark;
  readonly zoom: Zoom;
  /** Number of blocks that belong to the request shown; the others are drawn pale. @default all */
  readonly sent?: number;
  /** Index of the selected block; `null` if none. */
  readonly selected: number | null;
  /** Describes a block. */
  words(index: number): string;
  /** Called when a block is hovered or focused, or chosen by click or keyboard. */
  onLook(index: number, chosen: boolean): void;
  /** Called when the pointer or the focus leaves the strip. */
  onLeave(): void;
  onZoom(zoom: Zoom): void;
}

const stride = 10;

/**
 * A strip of messages with widths proportional to their tokens. It is one tab stop; arrow keys move between messages, and
 * screen readers announce `words`. `+` and `-`, or the wheel with Ctrl, zoom all strips; dragging moves a zoomed strip.
 */
export function Strip(props: StripProps): JSX.Element {
  const { label, caption, kind, blocks, scale, zoom, sent = blocks.length, words, onLook, onLeave, onZoom } = props;
  const selected = props.selected !== null && props.selected < blocks.length ? props.selected : null;
  const canvas = useRef<HTMLCanvasElement>(null);
  const size = useSize(canvas);
  const colours = useColours();
  const [over, setOver] = useState<{ readonly x: number; readonly index: number } | null>(null);
  const { width } = size;
  const tokens = useMemo(() => blocks.map((block) => block.tokens), [blocks]);
  const part = useMemo(() => (kind === 'output' ? partOf(zoom, tokens, scale) : zoom), [kind, zoom, tokens, scale]);
  const edges = useMemo(() => edgesOf(tokens, scale, width, part), [tokens, scale, width, part]);
  useLayoutEffect(() => {
    if (canvas.current && size.width > 0) paintStrip(canvas.current, size, colours, { blocks, edges, selected, sent });
  }, [size, colours, blocks, edges, selected, sent]);

  const wheel = useLatest((event: WheelEvent): void => {
    const sideways = event.shiftKey ? event.deltaY : event.deltaX;
    if (event.ctrlKey || event.metaKey)
      onZoom(zoomBy(zoom, Math.exp(-event.deltaY / 200), zoom.from + (event.offsetX / width) * (zoom.to - zoom.from)));
    else if (Math.abs(sideways) > 0 && zoom !== wholeStrip) onZoom(panBy(zoom, sideways / width));
    else return;
    event.preventDefault();
  });
  useEffect(() => {
    const onWheel = (event: WheelEvent): void => wheel.current(event);
    canvas.current?.addEventListener('wheel', onWheel, { passive: false });
    return () => canvas.current?.removeEventListener('wheel', onWheel);
  }, []);

  const last = blocks.length - 1;
  // Keys may be pressed faster than the page is rendered.
  const at = useRef(0);
  at.current = Math.min(selected ?? 0, Math.max(last, 0));
  const press = (event: KeyboardEvent): void => {
    const middle = (zoom.from + zoom.to) / 2;
    const zoomed = zoomKeys[event.key];
    const to = stepTo(event.key, at.current, blocks.length, stride);
    if (zoomed !== undefined) onZoom(zoomed === 0 ? wholeStrip : zoomBy(zoom, zoomed, middle));
    else if (to !== null) {
      at.current = to;
      onLook(at.current, true);
      const [from, until] = [edges[at.current]!, edges[at.current + 1]!].map(
        (edge) => part.from + (edge / width) * (part.to - part.from),
      );
      onZoom(panTo(zoom, from!, until!));
    } else return;
    event.preventDefault();
  };
  const beyond = edges.at(-1) ?? 0;
  const under = (event: MouseEvent): number | null => (event.offsetX <= beyond ? blockAt(edges, event.offsetX) : null);
  const look = (event: MouseEvent, chosen: boolean): void => {
    const index = under(event);
    if (index === null || index < 0) return;
    if (!chosen) setOver({ x: event.offsetX, index });
    onLook(index, chosen);
  };
  const drag = useDrag(zoom, width, onZoom);
  const { mark } = props;
  const markAt = mark ? (mark.tokens / scale - part.from) / (part.to - part.from) : 1;
  return (
    <div class="strip-frame">
      <span class="caption" aria-hidden="true">
        {caption}
      </span>
      <canvas
        ref={canvas}
        class={`strip ${kind}`}
        tabIndex={0}
        role="slider"
        aria-label={label}
        aria-orientation="horizontal"
        aria-valuemin={1}
        aria-valuemax={Math.max(blocks.length, 1)}
        aria-valuenow={at.current + 1}
        aria-valuetext={blocks.length > 0 ? words(at.current) : 'no message'}
        onPointerDown={drag.start}
        onPointerMove={(event) => {
          if (!drag.move(event)) look(event, false);
        }}
        onPointerUp={(event) => {
          // A finger that moved over messages chooses the last one; there is no click then.
          if (!drag.end() && event.pointerType === 'touch') look(event, true);
        }}
        onPointerLeave={() => {
          setOver(null);
          onLeave();
        }}
        onClick={(event) => {
          if (!drag.hasMoved()) look(event, true);
        }}
        onFocus={() => {
          if (blocks.length > 0) onLook(at.current, false);
        }}
        onBlur={onLeave}
        onKeyDown={press}
      />
      {mark && markAt > 0 && markAt < 1 && (
        <span class="mark" style={{ left: `${markAt * width}px` }} aria-hidden="true">
          <span>{mark.words}</span>
        </span>
      )}
      {over && over.index <= last && <Tip x={over.x} width={width} words={words(over.index)} />}
    </div>
  );
}

/** Factors of the keys that zoom; 0 shows the whole strip. */
const zoomKeys: Readonly<Record<string, number>> = { '+': 2, '=': 2, '-': 0.5, '0': 0 };

/** Words next to the pointer. Hidden from screen readers, which hear the strip's value. */
function Tip({ x, width, words }: { readonly x: number; readonly width: number; readonly words: string }): JSX.Element {
  const side = x < width / 2 ? { left: `${x}px` } : { right: `${width - x}px` };
  return (
    <div class="tip" style={side} aria-hidden="true">
      {words}
    </div>
  );
}
