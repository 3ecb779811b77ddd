import type { EngineSnapshot } from '@palimpsest/core';
import { attempt, freshEngine } from '../attempt.ts';
import { type CaseDefinition, ensure } from '../case-definition.ts';
import { createScriptedSummarizer, type ScriptedSummarizer, writeShortSummary } from '../host/scripted-summarizer.ts';
import { arbitraryScenario } from '../scenario.ts';
import { plainExamples } from '../transcripts/transcript-examples.ts';

export const abortRollsBack: CaseDefinition = {
  name: 'an abort leaves transcript and state unchanged',
  examples: plainExamples,
  arbitrary: arbitraryScenario,
  async check(scenario, { create, hostParts }) {
    for (const moment of ['before the call', 'while the summarizer writes'] as const) {
      const abort = new AbortController();
      const summarizer: ScriptedSummarizer = createScriptedSummarizer((request) => {
        abort.abort();
        return writeShortSummary(request);
      });
      if (moment === 'before the call') abort.abort();
      const asked = { ...scenario, asked: { ...scenario.asked, signal: abort.signal } };
      const tried = await attempt(create, asked, { ...hostParts, summarizer });
      ensure(!tried.hanging, () => `aborted ${moment}, compress hangs`);
      if (!abort.signal.aborted || (!tried.result && tried.error)) continue;
      ensure(tried.result?.outcome === 'aborted', () => `aborted ${moment}, the outcome is "${tried.result?.outcome}"`);
      ensure(
        tried.result.messages === scenario.messages,
        () => `aborted ${moment}, compress returned a different messages array`,
      );
      const fresh = await freshEngine(create, tried.host, scenario);
      // The trigger state may differ: it records the cancelled call and delays the next one.
      const stateToKeep = ({ planner, tokens, settled }: EngineSnapshot['state']) => ({ planner, tokens, settled });
      const [before, after] = [stateToKeep(fresh.snapshot().state), stateToKeep(tried.engine.snapshot().state)];
      ensure(JSON.stringify(before) === JSON.stringify(after), () => `aborted ${moment}, the engine's state changed`);
    }
  },
};
