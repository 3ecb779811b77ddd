import type { ComponentChildren, JSX } from 'preact';

interface ScrollingProps {
  readonly label: string;
  readonly className: string;
  readonly children: ComponentChildren;
}

/** A part of the page that scrolls by itself, and so has to be reached by the keyboard. */
export function Scrolling({ label, className, children }: ScrollingProps): JSX.Element {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: who has no mouse scrolls it by the arrow keys, once it has the focus
    <section class={className} tabIndex={0} aria-label={label}>
      {children}
    </section>
  );
}
