import type { ComponentChildren, JSX } from 'preact';

interface ScrollingProps {
  readonly label: string;
  readonly className: string;
  readonly children: ComponentChildren;
}

/** A scrollable region that can be focused by keyboard. */
export function Scrolling({ label, className, children }: ScrollingProps): JSX.Element {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must focus the region to scroll it with the arrow keys
    <section class={className} tabIndex={0} aria-label={label}>
      {children}
    </section>
  );
}
