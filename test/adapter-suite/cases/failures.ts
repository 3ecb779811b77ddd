import { expect } from 'vitest';
import { contextWindow } from '../../loopback-server/index.ts';
import type { AdapterCase } from '../adapter-case.ts';
import { reader } from '../scripts.ts';
import { suiteSession } from '../suite-agent.ts';

/** Calls that fail or are aborted. */
export const failures: readonly AdapterCase[] = [
  {
    feature: 'abort',
    name: 'ends a stalled call, and continues with the next request',
    async run({ server, start }) {
      server.play((_, number) => (number === 0 ? { kind: 'stall', at: 'start' } : { kind: 'answer', text: 'Hello.' }));
      const agent = await start(suiteSession());
      const controller = new AbortController();
      const asking = agent.ask({ text: 'Are you there?', signal: controller.signal });
      await server.arrival(1);
      controller.abort();
      await expect(asking).rejects.toThrow();
      expect((await agent.ask('And now?')).text).toBe('Hello.');
      expect(server.received.length).toBe(2);
      expect(agent.session.records()).toEqual([]);
    },
  },
  {
    feature: 'recovery',
    name: 'sends a smaller request when the provider refuses the size',
    async run({ server, start }) {
      for (const streaming of [false, true]) {
        const judge = contextWindow(6_000);
        const script = reader(20);
        let refused = 0;
        let answered = 0;
        server.play((request) => {
          const { refusal, ...usage } = judge(request);
          if (refusal) refused++;
          return refusal ?? { ...script(request, answered++), ...usage };
        });
        // The session takes the window for four times as large.
        const agent = await start(suiteSession({ window: 24_000 }), { streaming });
        expect((await agent.ask('Read the sources.')).text).toBe('Done.');
        expect(refused).toBe(1);
        // Below the threshold of the window that it knew. A refusal that leaves room for an answer first lowers the output cap.
        expect(['overflow', 'threshold']).toContain(agent.session.records()[0]!.trigger);
        expect(agent.session.status().contextLength).toBe(6_000);
      }
    },
  },
];
