import type { EngineSettings } from 'palimpsest/comparison/engine-settings';
import { nearestStep, protectSteps, targetSteps, thresholdSteps, windowSteps } from './steps.ts';

const sliders: readonly (readonly [name: keyof EngineSettings, steps: readonly (number | null)[]])[] = [
  ['windowTokens', windowSteps],
  ['threshold', [null, ...thresholdSteps]],
  ['protectTokens', [null, ...protectSteps]],
  ['targetTokens', [null, ...targetSteps]],
];

/** Steps to prefetch in each direction: for the slider changed last, and for the others. */
const reach = { lastChanged: 3, other: 1 };

/** The settings a few steps of one slider away. Those of the slider changed last come first, nearest first. */
export function neighbours(settings: EngineSettings, lastChanged: keyof EngineSettings): readonly EngineSettings[] {
  const order = [...sliders].sort(([a], [b]) => Number(b === lastChanged) - Number(a === lastChanged));
  return order.flatMap(([name, steps]) => {
    const value = settings[name];
    const exact = steps.indexOf(value);
    const at = exact >= 0 || value === null ? exact : nearestStep(steps.map(Number), value);
    const far = name === lastChanged ? reach.lastChanged : reach.other;
    const around = Array.from({ length: far }, (_, index) => [steps[at + index + 1], steps[at - index - 1]]).flat();
    return around.flatMap((step) => (step === undefined ? [] : [{ ...settings, [name]: step }]));
  });
}
