import fc from 'fast-check';
import { attempt, freshEngine } from '../attempt.ts';
import { type CaseDefinition, ensure, resultOf } from '../case-definition.ts';
import { createScriptedSummarizer } from '../host/scripted-summarizer.ts';
import { type FailureRow, summarizerFailures } from '../host/summarizer-failure.ts';
import { arbitraryScenario, type Scenario, scenarioFor } from '../scenario.ts';
import { user } from '../transcripts/message-builders.ts';
import { autonomousWork, chat } from '../transcripts/transcript-examples.ts';

interface FailureScenario extends Scenario {
  readonly row: FailureRow;
  /** How the fallback summarizer fails; `null` if there is none. It is called after the summarizer. */
  readonly fallback: FailureRow | null;
}

const unavailable: FailureRow = {
  name: '503',
  class: 'transient',
  reply: { failure: 'status', status: 503 },
};

function firstOfEachClass(): FailureRow[] {
  return summarizerFailures.filter(
    (row, at) => summarizerFailures.findIndex((other) => other.class === row.class) === at,
  );
}

export const failureReported: CaseDefinition<FailureScenario> = {
  name: 'invariant 9: never loses history to a failed summarizer without reporting it',
  examples: () => [
    ...summarizerFailures.map((row) => ({
      name: `${row.name}, alone`,
      scenario: { ...scenarioFor([...chat(12, 1_500), user('And?')]), row, fallback: null },
    })),
    ...firstOfEachClass().map((row) => ({
      name: `${row.name}, then 503`,
      scenario: { ...scenarioFor(autonomousWork(16, 1_500)), row, fallback: unavailable },
    })),
  ],
  arbitrary: (options) =>
    fc
      .tuple(
        arbitraryScenario(options),
        fc.constantFrom(...summarizerFailures),
        fc.constantFrom(null, ...summarizerFailures),
      )
      .map(([scenario, row, fallback]) => ({ ...scenario, row, fallback })),
  async check(scenario, { create, hostParts }) {
    const summarizer = createScriptedSummarizer(scenario.row.reply);
    const fallback = scenario.fallback && createScriptedSummarizer(scenario.fallback.reply, { id: 'main' });
    const tried = await attempt(create, scenario, {
      ...hostParts,
      summarizer,
      ...(fallback ? { fallbackSummarizer: fallback } : {}),
    });
    const who = `the summarizer failed (${scenario.row.name}${scenario.fallback ? `, then ${scenario.fallback.name}` : ''})`;
    ensure(!tried.hanging, () => `${who} and compress hangs`);
    const result = resultOf(tried, 9);
    const called = summarizer.calls.length + (fallback?.calls.length ?? 0) > 0;
    if (!result && called) {
      // If compress also rejects with a working summarizer, the cause is something else, which another case reports.
      const working = await attempt(create, scenario, hostParts);
      ensure(working.result === null, () => `${who} and compress rejected: ${String(tried.error)}`);
    }
    if (!result || !called) return;
    ensure(result.outcome !== 'compacted', () => `${who}, but the outcome is "compacted"`);
    ensure(
      result.report.failure !== null,
      () => `${who}, but the report of outcome "${result.outcome}" names no failure`,
    );
    if (result.outcome === 'degraded') return;
    ensure(
      result.messages === scenario.messages && result.edits.length === 0,
      () => `${who}, the outcome is "${result.outcome}", but the transcript was changed`,
    );
    const untouched = await freshEngine(create, tried.host, scenario);
    const [before, after] = [untouched.snapshot(), tried.engine.snapshot()];
    ensure(
      JSON.stringify(after.state.planner) === JSON.stringify(before.state.planner),
      () => `${who}, the outcome is "${result.outcome}", but the planner's state was committed`,
    );
  },
};
