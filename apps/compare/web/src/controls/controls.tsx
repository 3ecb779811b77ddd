import { tokenAmount } from 'palimpsest/printing/token-amount';
import { defaultSettings, type EngineSettings } from 'palimpsest/replay/engine-settings';
import type { JSX } from 'preact';
import { assignColours } from '../page.ts';
import type { StoreState } from '../store/state.ts';
import { Slider } from './slider.tsx';
import { protectSteps, targetSteps, thresholdSteps, windowSteps } from './steps.ts';

interface ControlsProps {
  readonly state: StoreState;
  readonly shown: ReadonlySet<string>;
  onChange(change: Partial<EngineSettings>): void;
  onShow(engine: string, shown: boolean): void;
}

const windowSlider = { name: 'Window', setting: 'windowTokens', steps: windowSteps, words: tokenAmount } as const;

/** Settings that a newcomer does not need. */
const furtherSliders = [
  {
    name: 'Threshold',
    setting: 'threshold',
    steps: thresholdSteps,
    words: (value: number) => `${Math.round(value * 100)} %`,
  },
  { name: 'Protect', setting: 'protectTokens', steps: protectSteps, words: tokenAmount },
  { name: 'Target', setting: 'targetTokens', steps: targetSteps, words: tokenAmount },
] as const;

/** The settings: window, engine options, and visible engines. */
export function Controls({ state, shown, onChange, onShow }: ControlsProps): JSX.Element {
  const { settings, engines, opened } = state;
  const defaults = { ...defaultSettings, windowTokens: opened?.window.tokens ?? settings.windowTokens };
  const thresholds = assignColours(engines).flatMap(([engine, colour]) => {
    const row = shown.has(engine) && state.answers[engine]?.row;
    return row ? [{ colour, text: `${Math.round(row.thresholdTokens / 1_000)}K` }] : [];
  });
  const isDefault = JSON.stringify(settings) === JSON.stringify(defaults);
  const slider = ({ name, setting, steps, words }: typeof windowSlider | (typeof furtherSliders)[number]) => (
    <Slider
      key={name}
      name={name}
      term={name.toLowerCase() as Lowercase<typeof name>}
      steps={steps}
      value={settings[setting]}
      automatic={setting === 'threshold' ? thresholds : []}
      optional={setting !== 'windowTokens'}
      words={words}
      onChange={(value) => onChange({ [setting]: value })}
    />
  );
  return (
    <section class="controls" aria-label="Settings">
      {slider(windowSlider)}
      <fieldset class="engines">
        <legend class="unseen">Engines</legend>
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
        <button type="button" class="button reset" disabled={isDefault} onClick={() => onChange(defaults)}>
          Reset to defaults
        </button>
      </fieldset>
      <details open={furtherSliders.some(({ setting }) => settings[setting] !== null)}>
        <summary>More settings</summary>
        <div class="further">{furtherSliders.map(slider)}</div>
      </details>
    </section>
  );
}
