import type { ModelPrices } from 'palimpsest/replay/replay-cost';
import type { JSX } from 'preact';
import { useId, useState } from 'preact/hooks';

const fields: readonly (readonly [name: keyof ModelPrices, words: string])[] = [
  ['input', 'input'],
  ['cacheRead', 'read from cache'],
  ['cacheWrite', 'written to cache'],
  ['output', 'output, for handoffs by a model'],
];

interface PriceFieldsProps {
  readonly prices: ModelPrices;
  onChange(prices: ModelPrices): void;
}

/** Prices of a million tokens. Invalid input shows an error, and the last valid price stays in use. */
export function PriceFields({ prices, onChange }: PriceFieldsProps): JSX.Element {
  const [refused, setRefused] = useState<ReadonlySet<string>>(new Set());
  const problem = useId();
  return (
    <fieldset class="prices">
      <legend>Prices in $ per million tokens; enter your provider’s</legend>
      {fields.map(([name, words]) => (
        <label key={name} class="field">
          <span>{words}</span>
          <input
            type="number"
            min={0}
            max={1000}
            step={0.01}
            defaultValue={String(prices[name])}
            aria-invalid={refused.has(name)}
            aria-describedby={problem}
            onInput={(event) => {
              const { valueAsNumber: price } = event.currentTarget;
              const isPrice = price >= 0 && price <= 1000;
              if (isPrice) onChange({ ...prices, [name]: price });
              const others = [...refused].filter((other) => other !== name);
              setRefused(new Set(isPrice ? others : [...others, name]));
            }}
          />
        </label>
      ))}
      <p id={problem} class="problem" role="alert">
        {refused.size > 0 ? 'A price is a number from 0 to 1,000. The costs above use the last valid one.' : ''}
      </p>
    </fieldset>
  );
}
