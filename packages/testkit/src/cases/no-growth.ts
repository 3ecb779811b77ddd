import type { Message } from '@palimpsest/core';
import { Transcript } from '@palimpsest/core/authoring';
import { attempt } from '../attempt.ts';
import { type CaseDefinition, ensure, resultOf } from '../case-definition.ts';
import { quarterCounter } from '../host/quarter-counter.ts';
import { arbitraryScenario, promptTokens } from '../scenario.ts';
import { plainExamples } from '../transcripts/transcript-examples.ts';

export const noGrowth: CaseDefinition = {
  name: 'invariant 10: never makes the transcript larger, and reports its size correctly',
  examples: plainExamples,
  arbitrary: arbitraryScenario,
  async check(scenario, { create, hostParts }) {
    const result = resultOf(await attempt(create, scenario, hostParts), 10);
    if (!result) return;
    const before = promptTokens(scenario.messages);
    const after = promptTokens(result.messages as readonly Message[]);
    ensure(
      after <= before,
      () => `the transcript grew from ${before} to ${after} tokens with outcome "${result.outcome}"`,
    );
    const overhead = scenario.request.overheadTokens ?? 0;
    const { tokensBefore, tokensAfter, overTargetTokens } = result.report;
    ensure(
      Math.abs(tokensBefore - before - overhead) <= 1,
      () => `report.tokensBefore is ${tokensBefore}, expected ${before + overhead}`,
    );
    ensure(
      Math.abs(tokensAfter - after - overhead) <= 1,
      () => `report.tokensAfter is ${tokensAfter}, expected ${after + overhead}`,
    );
    const target = scenario.request.targetTokens;
    const { unreadTokens } = Transcript.of(scenario.messages, quarterCounter);
    const missed = target === undefined ? 0 : Math.max(0, tokensAfter - target - unreadTokens);
    ensure(
      Math.abs(overTargetTokens - missed) <= 1,
      () => `report.overTargetTokens is ${overTargetTokens}, expected ${missed}`,
    );
  },
};
