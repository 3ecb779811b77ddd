import { hasToolCalls, isToolResult } from '@palimpsest/core';
import { attempt } from '../attempt.ts';
import { type CaseDefinition, ensure, resultOf } from '../case-definition.ts';
import { arbitraryScenario } from '../scenario.ts';
import { plainExamples } from '../transcripts/transcript-examples.ts';

export const pendingExchangeKept: CaseDefinition = {
  name: 'invariant 5: keeps the pending tool exchange whole, whatever follows it',
  examples: plainExamples,
  arbitrary: arbitraryScenario,
  async check(scenario, { create, hostParts }) {
    const result = resultOf(await attempt(create, scenario, hostParts), 5);
    if (!result) return;
    const { messages } = scenario;
    const caller = messages.findLastIndex(({ role }) => role === 'assistant');
    if (caller < 0 || !hasToolCalls(messages[caller]!)) return;
    let end = caller + 1;
    while (end < messages.length && isToolResult(messages[end]!)) end++;
    // A call that only a user message follows has no result that the model has not seen.
    if (end === caller + 1 && end < messages.length) return;
    const first = result.messages.findLastIndex(({ role }) => role === 'assistant');
    messages.slice(caller, end).forEach((message, at) => {
      ensure(
        result.messages[first + at] === message,
        () => `message ${caller + at}, part of the pending tool exchange, is not unchanged in the output`,
      );
    });
  },
};
