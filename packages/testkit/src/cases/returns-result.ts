import { PalimpsestError } from '@palimpsest/core';
import { attempt, readRefusal } from '../attempt.ts';
import { type CaseDefinition, ensure, fail } from '../case-definition.ts';
import { arbitraryScenario } from '../scenario.ts';
import { plainExamples } from '../transcripts/transcript-examples.ts';

const outcomes: readonly string[] = ['compacted', 'degraded', 'unchanged', 'aborted'];

/** Reports every rejection that the cases of the invariants do not report. */
export const returnsResult: CaseDefinition = {
  name: 'returns a result for every transcript',
  examples: plainExamples,
  arbitrary: arbitraryScenario,
  async check(scenario, { create, hostParts }) {
    const tried = await attempt(create, scenario, hostParts);
    if (tried.hanging) fail('compress neither resolved nor rejected');
    if (!tried.result && readRefusal(tried).length > 0) return;
    if (!tried.result) fail(`compress rejected: ${describeError(tried.error)}`);
    const { outcome, report, messages, edits } = tried.result;
    ensure(outcomes.includes(outcome), () => `the outcome is "${outcome}"`);
    ensure(Array.isArray(messages) && Array.isArray(edits), () => 'messages and edits are not both arrays');
    for (const [name, value] of Object.entries(report))
      if (typeof value === 'number') ensure(Number.isFinite(value), () => `report.${name} is ${value}`);
    const promptTokens = scenario.model.contextLength;
    const decision = tried.engine.explain(promptTokens);
    ensure(decision.message !== '', () => 'explain() gives no message');
    ensure(
      tried.engine.shouldCompress(promptTokens) === decision.compact,
      () => 'shouldCompress() contradicts explain()',
    );
  },
};

function describeError(error: unknown): string {
  if (PalimpsestError.is(error)) return `${error.code}: ${error.message}`;
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
