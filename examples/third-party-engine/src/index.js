import { Draft, defineEngine } from '@palimpsest/core/authoring';

const forgotten = '[The output of this earlier call was dropped. Call the tool again if it is needed.]';

/** Drops what earlier tools said. What people and the model said, and the newest calls, stay as they are. */
export default defineEngine({
  name: 'forgetful',
  apiVersion: 1,
  create: () => ({
    initial: null,
    budget: ({ contextLength }) => ({
      contextLength,
      usableTokens: contextLength,
      thresholdTokens: contextLength * 0.7,
      tailTokens: 0,
      summaryTokens: 0,
    }),
    async plan({ transcript }) {
      const draft = new Draft(transcript);
      const end = transcript.pendingCalls?.from ?? transcript.length;
      for (const [at, { role, content }] of transcript.messages.slice(0, end).entries())
        if (role === 'tool' && content !== forgotten && transcript.tokens(at) > 50)
          draft.rewrite(at, { content: forgotten }, { code: 'stub' });
      return { edits: draft.edits(), state: null };
    },
  }),
});
