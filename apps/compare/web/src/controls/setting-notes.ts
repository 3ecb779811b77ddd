import { count } from '@palimpsest/command-line/count';
import type { EngineSettings } from 'palimpsest/comparison/engine-settings';
import type { EffectiveValues } from './effective-values.ts';

/** What is shown below a slider. */
export interface SettingNote {
  readonly text: string;
  /** True if the setting does not apply, or contradicts another one. */
  readonly kind: 'value' | 'conflict' | 'inapplicable';
}

/** What each setting amounts to, whether it applies, and what it contradicts. */
export function settingNotes(
  settings: EngineSettings,
  values: readonly EffectiveValues[],
  /** True if at least one of the engines compacts with these settings. */
  compacts: boolean,
): Readonly<Record<keyof EngineSettings, SettingNote>> {
  const note = (text: string, kind: SettingNote['kind'] = 'value'): SettingNote => ({ text, kind });
  const inapplicable = compacts ? null : note('no engine compacts at these settings', 'inapplicable');
  const overProtected = values.filter(({ protect, threshold }) => protect >= threshold);
  const overTarget = values.filter(({ threshold }) => (settings.targetTokens ?? 0) >= threshold);
  const { protectTokens, targetTokens } = settings;
  const contradicts = protectTokens !== null && targetTokens !== null && protectTokens >= targetTokens;
  const protect =
    overProtected.length > 0
      ? note(`not below the threshold of ${names(overProtected)}: nothing can be removed`, 'conflict')
      : note(each(values, ({ protect }) => protect));
  const target = contradicts
    ? note(`not above the ${count(protectTokens)} protected tokens: it cannot be reached`, 'conflict')
    : overTarget.length > 0
      ? note(`not below the threshold of ${names(overTarget)}: it has no effect there`, 'conflict')
      : note(targetTokens === null ? 'each engine chooses' : `${count(targetTokens)} tokens`);
  return {
    windowTokens: note('tokens in one request'),
    threshold: note(each(values, ({ threshold }) => threshold)),
    protectTokens: inapplicable ?? protect,
    targetTokens: inapplicable ?? target,
  };
}

/** A line for each engine, or the number if it is the same for all. */
function each(values: readonly EffectiveValues[], tokens: (value: EffectiveValues) => number): string {
  const different = new Set(values.map(tokens));
  if (different.size < 2) return [...different].map((value) => `${count(value)} tokens`).join('');
  return values.map((value) => `${value.engine} ${count(tokens(value))}`).join('\n');
}

function names(values: readonly EffectiveValues[]): string {
  return values.map(({ engine }) => engine).join(' and ');
}
