import type { EnginePlugin } from '@palimpsest/core/authoring';
import { halfWindow } from './half-window.ts';

/** An engine that breaks the contract: it drops everything, the request included. */
const forgetful: EnginePlugin<unknown, null> = {
  name: 'forgetful',
  apiVersion: 1,
  create: () => ({
    initial: null,
    budget: halfWindow,
    plan: async ({ transcript }) => ({
      edits: [{ kind: 'replace', groups: [1, transcript.groups.length], with: [], reasons: [{ code: 'drop' }] }],
      state: null,
    }),
  }),
};
export default forgetful;
