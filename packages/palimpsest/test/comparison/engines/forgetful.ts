import type { EnginePlugin } from '@palimpsest/core/authoring';

/** An engine that breaks the contract: it drops everything, the request included. */
const forgetful: EnginePlugin<unknown, null> = {
  name: 'forgetful',
  apiVersion: 2,
  create: () => ({
    initial: null,
    budget: ({ contextLength }) => ({
      contextLength,
      usableTokens: contextLength,
      thresholdTokens: contextLength / 2,
      tailTokens: 0,
      summaryTokens: 0,
    }),
    plan: async ({ transcript }) => ({
      edits: [{ kind: 'replace', groups: [1, transcript.groups.length], with: [], reasons: [{ code: 'drop' }] }],
      state: null,
    }),
  }),
};
export default forgetful;
