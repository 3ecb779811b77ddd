import type { JSX } from 'preact';
import type { InputPrices } from '../../../src/replay/input-cost.ts';

/** An example to begin with, not anybody's list price. */
export const examplePrices: InputPrices = { input: 3, cached: 0.3, cacheWrite: 3.75 };

const fields: readonly (readonly [name: keyof InputPrices, words: string])[] = [
  ['input', 'input'],
  ['cached', 'read from cache'],
  ['cacheWrite', 'written to cache'],
];

interface PriceFieldsProps {
  readonly prices: InputPrices;
  onChange(prices: InputPrices): void;
}

/** What a million prompt tokens cost. What is no price leaves the one before. */
export function PriceFields({ prices, onChange }: PriceFieldsProps): JSX.Element {
  return (
    <fieldset class="prices">
      <legend>Prices, $ per million tokens; put in your provider’s</legend>
      {fields.map(([name, words]) => (
        <label key={name} class="field">
          <span>{words}</span>
          <input
            type="number"
            min={0}
            max={1000}
            step={0.01}
            defaultValue={String(examplePrices[name])}
            onInput={(event) => {
              const { valueAsNumber: price } = event.currentTarget;
              if (price >= 0 && price <= 1000) onChange({ ...prices, [name]: price });
            }}
          />
        </label>
      ))}
    </fieldset>
  );
}
