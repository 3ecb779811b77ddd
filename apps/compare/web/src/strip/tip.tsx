import type { JSX } from 'preact';

/** Words next to the pointer. Hidden from screen readers, which hear the strip's value. */
export function Tip({
  x,
  width,
  words,
}: {
  readonly x: number;
  readonly width: number;
  readonly words: string;
}): JSX.Element {
  const side = x < width / 2 ? { left: `${x}px` } : { right: `${width - x}px` };
  return (
    <div class="tip" style={side} aria-hidden="true">
      {words}
    </div>
  );
}
