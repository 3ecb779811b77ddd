import { attempt } from '../attempt.ts';
import { type CaseDefinition, ensure } from '../case-definition.ts';
import { createScriptedSummarizer, writeShortSummary } from '../host/scripted-summarizer.ts';
import { arbitraryScenario } from '../scenario.ts';
import { plainExamples } from '../transcripts/transcript-examples.ts';

export const freeEffort: CaseDefinition = {
  name: 'free effort calls no model',
  examples: plainExamples,
  arbitrary: arbitraryScenario,
  async check(scenario, { create, hostParts }) {
    const summarizer = createScriptedSummarizer(writeShortSummary);
    const fallbackSummarizer = createScriptedSummarizer(writeShortSummary, { id: 'main' });
    const free = { ...scenario, asked: { ...scenario.asked, effort: 'free' as const } };
    const { result } = await attempt(create, free, { ...hostParts, summarizer, fallbackSummarizer });
    const calls = summarizer.calls.length + fallbackSummarizer.calls.length;
    ensure(calls === 0, () => `with effort "free", the engine made ${calls} model calls`);
    ensure(
      !result || result.report.modelCalls === 0,
      () => `with effort "free", the report counts ${result?.report.modelCalls} model calls`,
    );
  },
};
