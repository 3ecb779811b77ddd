import type { EnginePlugin } from '@palimpsest/core/authoring';
import { halfWindow } from './half-window.ts';

let calls = 0;

/** An engine that works at the second call in a process, and throws at all others. */
const tiring: EnginePlugin<unknown, null> = {
  name: 'tiring',
  apiVersion: 1,
  create: () => ({
    initial: null,
    budget: halfWindow,
    async plan() {
      if (calls++ !== 1) throw new Error('out of strength');
      return { edits: [], state: null, notes: { reason: 'It keeps everything.' } };
    },
  }),
};
export default tiring;
