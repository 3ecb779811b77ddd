import type { Edit, EngineHost } from '@palimpsest/core';
import type { EnginePlugin } from '@palimpsest/core/authoring';

/** A plain engine for tests: drops every second exchange from the older half, and asks the summarizer for a word. */
const halving: EnginePlugin<unknown, { passes: number }> = {
  name: 'halving',
  apiVersion: 1,
  create: (_options: unknown, host: EngineHost) => ({
    initial: { passes: 0 },
    budget: ({ contextLength }) => ({
      contextLength,
      usableTokens: contextLength,
      thresholdTokens: contextLength / 2,
      tailTokens: contextLength / 8,
      summaryTokens: 1_000,
    }),
    async plan({ transcript, state }) {
      const edits: Edit[] = [];
      transcript.groups.forEach((group, index) => {
        if (group.kind === 'calls' && index < transcript.groups.length / 2 && index % 2 === 0)
          edits.push({
            kind: 'replace',
            groups: [index, index + 1],
            with: [],
            reasons: [{ code: 'drop', note: 'every second one' }],
          });
      });
      const template = { name: 'word', sections: [{ heading: 'Goal', ask: 'One word.', empty: 'None.' }] };
      const material = { messages: [], previousSummary: null, template, focusTopic: null };
      await host.summarizer?.summarize({ prompt: 'One word.', budgetTokens: 10, material });
      const phases = [{ name: 'halve', durationMs: 1, reclaimedTokens: 1, messages: edits.length * 2 }];
      return { edits, state: { passes: state.passes + 1 }, notes: { phases } };
    },
  }),
};
export default halving;
