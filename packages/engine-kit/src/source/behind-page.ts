import type { EnginePass } from '../plan/engine-pass.ts';
import type { SummaryState } from '../plan/summary-state.ts';
import { writesByRules } from './writes-by-rules.ts';

/** Share of the threshold for the tail behind a model's page, which tells what came before better than old turns do. */
const tailShare = 0.03;
/** Share of the threshold up to which the last turn stays whole. */
const turnShare = 0.1;

/**
 * Returns the pass with the small tail that is enough behind a model's page: 3 % of the threshold, or the last turn
 * if it has at most 10 %. The pass is unchanged if rules write or a target decides.
 */
export function behindPage<S extends SummaryState, P extends EnginePass<S>>(pass: P & EnginePass<S>): P {
  const { budget, host, asked, transcript } = pass;
  if (writesByRules(host, asked) || asked.targetTokens !== undefined) return pass;
  const { thresholdTokens } = budget;
  const from = transcript.task?.from ?? transcript.length;
  const turnTokens = transcript.tokensBetween(from, transcript.length);
  const minTokens = turnTokens <= thresholdTokens * turnShare ? turnTokens : 0;
  const tailTokens = Math.min(budget.tailTokens, Math.max(minTokens, Math.floor(thresholdTokens * tailShare)));
  return { ...pass, budget: { ...budget, tailTokens } };
}
