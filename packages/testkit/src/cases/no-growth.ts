import type { Message } from '@palimpsest/core';
import { Transcript } from '@palimpsest/core/authoring';
import { type CaseDefinition, ensure, resultCase } from '../case-definition.ts';
import { quarterCounter } from '../host/quarter-counter.ts';
import { promptTokens } from '../scenario.ts';

export const noGrowth: CaseDefinition = resultCase(
  10,
  'never makes the transcript larger, and reports its size correctly',
  (result, scenario) => {
    const before = promptTokens(scenario.messages);
    const after = promptTokens(result.messages as readonly Message[]);
    ensure(
      after <= before,
      () => `the transcript grew from ${before} to ${after} tokens with outcome "${result.outcome}"`,
    );
    const overhead = scenario.asked.overheadTokens ?? 0;
    const { tokensBefore, tokensAfter, overTargetTokens } = result.report;
    ensure(
      Math.abs(tokensBefore - before - overhead) <= 1,
      () => `report.tokensBefore is ${tokensBefore}, expected ${before + overhead}`,
    );
    ensure(
      Math.abs(tokensAfter - after - overhead) <= 1,
      () => `report.tokensAfter is ${tokensAfter}, expected ${after + overhead}`,
    );
    const target = scenario.asked.targetTokens;
    const { unreadTokens } = Transcript.of(scenario.messages, quarterCounter);
    const missed = target === undefined ? 0 : Math.max(0, tokensAfter - target - unreadTokens);
    ensure(
      Math.abs(overTargetTokens - missed) <= 1,
      () => `report.overTargetTokens is ${overTargetTokens}, expected ${missed}`,
    );
  },
);
