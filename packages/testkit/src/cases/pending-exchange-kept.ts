import { hasToolCalls, isToolResult } from '@palimpsest/core';
import { attempt } from '../attempt.ts';
import { type CaseDefinition, ensure, resultOf } from '../case-definition.ts';
import { arbitraryScenario } from '../scenario.ts';
import { plainExamples } from '../transcripts/transcript-examples.ts';

export const pendingExchangeKept: CaseDefinition = {
  name: 'invariant 5: keeps the pending tool exchange whole, at the end',
  examples: plainExamples,
  arbitrary: arbitraryScenario,
  async check(scenario, { create, hostParts }) {
    const result = resultOf(await attempt(create, scenario, hostParts), 5);
    if (!result) return;
    const { messages } = scenario;
    let caller = messages.length - 1;
    while (caller >= 0 && isToolResult(messages[caller]!)) caller--;
    if (caller < 0 || !hasToolCalls(messages[caller]!)) return;
    const batch = messages.slice(caller);
    const end = result.messages.slice(-batch.length);
    batch.forEach((message, at) => {
      ensure(
        end[at] === message,
        () => `message ${caller + at}, part of the pending tool exchange, is not unchanged at the end of the output`,
      );
    });
  },
};
