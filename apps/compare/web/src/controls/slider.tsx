import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import type { TermName } from '../definitions.ts';
import { Term } from '../term.tsx';
import { nearestStep } from './steps.ts';

interface SliderProps {
  readonly name: string;
  readonly term: TermName;
  readonly steps: readonly number[];
  /** `null` means each engine's default, the position before the first step. */
  readonly value: number | null;
  /** The defaults of the engines, in their colours, if they are known. */
  readonly automatic: readonly { readonly colour: string; readonly text: string }[];
  /** Whether the value may be `null`. */
  readonly optional: boolean;
  words(value: number): string;
  onChange(value: number | null): void;
}

/** A slider over discrete steps that shows its name and its value. */
export function Slider({ name, term, steps, value, automatic, optional, words, onChange }: SliderProps): JSX.Element {
  const id = useId();
  const shift = optional ? 1 : 0;
  const at = value === null ? 0 : nearestStep(steps, value) + shift;
  const text = value === null ? 'automatic' : words(value);
  return (
    <div class={`slider ${value === null ? 'unset' : ''}`}>
      <span class="name">
        <label for={id}>{name}</label> <Term name={term} label={`What is “${name}”?`} />
      </span>
      <output for={id} class={value === null ? 'soft' : ''}>
        {text}
        {value === null &&
          automatic.map((own) => (
            <span key={own.colour} class={`own ${own.colour}`}>
              {' '}
              {own.text}
            </span>
          ))}
      </output>
      <input
        id={id}
        type="range"
        min={0}
        max={steps.length - 1 + shift}
        step={1}
        value={at}
        aria-valuetext={text}
        onInput={(event) => {
          const to = Number(event.currentTarget.value) - shift;
          onChange(to < 0 ? null : steps[to]!);
        }}
      />
    </div>
  );
}
