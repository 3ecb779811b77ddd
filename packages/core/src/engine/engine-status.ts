import type { EngineStatus } from './engine.ts';
import type { EngineState } from './engine-state.ts';
import type { Decision } from './trigger.ts';

/** Builds the result of `status()` from the engine's state. */
export function engineStatus(
  engine: string,
  { model, tokens, trigger }: Pick<EngineState<unknown>, 'model' | 'tokens' | 'trigger'>,
  decision: Decision,
  details: Readonly<Record<string, unknown>>,
): EngineStatus {
  const { lastPromptTokens, contextLength } = tokens;
  return {
    ...tokens,
    engine,
    model: model?.id ?? null,
    usagePercent: contextLength > 0 ? Math.min(100, (lastPromptTokens / contextLength) * 100) : 0,
    strikes: trigger.strikes,
    lastSaving: trigger.lastSaving,
    cooldownUntil: trigger.cooldown?.until ?? null,
    lastFailure: trigger.lastFailure,
    auxiliaryFailure: trigger.auxiliaryFailure,
    message: decision.message,
    details,
  };
}
