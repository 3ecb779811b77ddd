import type { ComponentChildren, JSX } from 'preact';
import { useId, useRef } from 'preact/hooks';
import { definitions, type TermName } from './definitions.ts';
import { placeBelow } from './place-popover.ts';

interface TermProps {
  readonly name: TermName;
  /** Name of a button that shows only a question mark. */
  readonly label?: string;
  readonly children?: ComponentChildren;
}

/** A term with its definition, which opens by click, Enter or Space and closes by Escape or a click elsewhere. */
export function Term({ name, label, children = label === undefined ? name : '?' }: TermProps): JSX.Element {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  return (
    <>
      <button ref={button} type="button" class="term" popovertarget={id} aria-label={label}>
        {children}
      </button>
      <span
        id={id}
        class="definition"
        popover="auto"
        onToggle={(event) => placeBelow(event.currentTarget, button.current)}
      >
        {definitions[name]}
      </span>
    </>
  );
}
