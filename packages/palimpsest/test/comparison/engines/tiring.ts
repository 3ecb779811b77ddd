import type { EnginePlugin } from '@palimpsest/core/authoring';
import { halfWindow } from './half-window.ts';

let calls = 0;

/** An engine that works once in a process, and then throws. */
const tiring: EnginePlugin<unknown, null> = {
  name: 'tiring',
  apiVersion: 1,
  create: () => ({
    initial: null,
    budget: halfWindow,
    async plan() {
      if (calls++ > 0) throw new Error('out of strength');
      return { edits: [], state: null, notes: { reason: 'It keeps everything.' } };
    },
  }),
};
export default tiring;
