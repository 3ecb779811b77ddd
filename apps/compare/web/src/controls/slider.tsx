import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import { nearestStep } from './steps.ts';

interface SliderProps {
  readonly name: string;
  readonly hint: string;
  readonly steps: readonly number[];
  /** `null` means each engine's default, the position before the first step. */
  readonly value: number | null;
  /** Whether the value may be `null`. */
  readonly optional: boolean;
  words(value: number): string;
  onChange(value: number | null): void;
}

/** A slider over discrete steps that shows its name and value. */
export function Slider({ name, hint, steps, value, optional, words, onChange }: SliderProps): JSX.Element {
  const id = useId();
  const shift = optional ? 1 : 0;
  const at = value === null ? 0 : nearestStep(steps, value) + shift;
  const text = value === null ? 'default' : words(value);
  return (
    <div class="slider">
      <label for={id}>{name}</label>
      <output for={id} class={value === null ? 'soft' : ''}>
        {text}
      </output>
      <input
        id={id}
        type="range"
        min={0}
        max={steps.length - 1 + shift}
        step={1}
        value={at}
        aria-valuetext={value === null ? 'each engine’s default' : text}
        aria-describedby={`${id}-hint`}
        onInput={(event) => {
          const to = Number(event.currentTarget.value) - shift;
          onChange(to < 0 ? null : steps[to]!);
        }}
      />
      <span id={`${id}-hint`} class="soft hint" aria-live="polite">
        {hint}
      </span>
    </div>
  );
}
