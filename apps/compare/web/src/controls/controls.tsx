import type { EngineSettings } from '@palimpsest/comparison/engine-settings';
import { tokenAmount } from '@palimpsest/comparison/token-amount';
import type { JSX } from 'preact';
import { Slider } from './slider.tsx';
import { protectSteps, targetSteps, thresholdSteps, windowSteps } from './steps.ts';

interface ControlsProps {
  readonly settings: EngineSettings;
  /** The setting changed last, if the change had no effect. */
  readonly withoutEffect: keyof EngineSettings | null;
  readonly engines: readonly string[];
  readonly shown: ReadonlySet<string>;
  onChange(change: Partial<EngineSettings>): void;
  onShow(engine: string, shown: boolean): void;
}

/** The settings: window, engine options, and visible engines. */
export function Controls({ settings, withoutEffect, engines, shown, onChange, onShow }: ControlsProps): JSX.Element {
  const hintOf = (setting: keyof EngineSettings, hint: string): string =>
    setting === withoutEffect ? 'no difference in this session' : hint;
  return (
    <section class="controls" aria-label="Settings">
      <Slider
        name="Window"
        hint={hintOf('windowTokens', 'context window of the model, in tokens')}
        steps={windowSteps}
        value={settings.windowTokens}
        optional={false}
        words={tokenAmount}
        onChange={(value) => onChange({ windowTokens: value ?? settings.windowTokens })}
      />
      <Slider
        name="Threshold"
        hint={hintOf('threshold', 'share of the window at which it compresses')}
        steps={thresholdSteps}
        value={settings.threshold}
        optional
        words={(value) => `${Math.round(value * 100)} %`}
        onChange={(threshold) => onChange({ threshold })}
      />
      <Slider
        name="Protect"
        hint={hintOf('protectTokens', 'newest tokens that stay unchanged')}
        steps={protectSteps}
        value={settings.protectTokens}
        optional
        words={tokenAmount}
        onChange={(protectTokens) => onChange({ protectTokens })}
      />
      <Slider
        name="Target"
        hint={hintOf('targetTokens', 'size to compress to')}
        steps={targetSteps}
        value={settings.targetTokens}
        optional
        words={tokenAmount}
        onChange={(targetTokens) => onChange({ targetTokens })}
      />
      <fieldset class="engines">
        <legend>Engines</legend>
        {engines.map((engine) => (
          <label key={engine}>
            <input
              type="checkbox"
              checked={shown.has(engine)}
              onChange={(event) => onShow(engine, event.currentTarget.checked)}
            />
            {engine}
          </label>
        ))}
      </fieldset>
    </section>
  );
}
