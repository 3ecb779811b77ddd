import { expect } from 'vitest';
import { roundsForEach, scriptedModel } from '../../coding-agent/scripted-model.ts';
import type { AdapterCase } from '../adapter-case.ts';
import { picture, reader, reading, thinker } from '../scripts.ts';
import { changedPrefixes, suiteSession, textsIn } from '../suite-agent.ts';

/** Answers and requests of every kind. */
export const answers: readonly AdapterCase[] = [
  {
    feature: 'streaming',
    name: 'passes on an answer in pieces, and learns from its usage',
    async run({ server, start }) {
      const { log, script } = scriptedModel(8_000, roundsForEach);
      server.play(script);
      const agent = await start(suiteSession({ window: 8_000 }), { streaming: true });
      const { text, pieces } = await agent.ask('Read the sources.');
      expect(text).toBe('Done with part 1.');
      expect(pieces).toBeGreaterThan(roundsForEach);
      expect(server.received.every(({ streaming }) => streaming)).toBe(true);
      expect(log.refused).toEqual([]);
      expect(agent.session.records().length).toBeGreaterThan(0);
      expect(changedPrefixes(server.received).length).toBeLessThanOrEqual(agent.session.records().length);
      const learned = (await agent.session.engine()).state.lastPromptTokens;
      expect(learned).toBe(log.prompts.at(-1)!.tokens);
    },
  },
  {
    feature: 'parallel calls',
    name: 'keeps each call with its result',
    async run({ server, start }) {
      server.play((_, number) => {
        const calls = [0, 1, 2, 3].map((at) => reading(number * 4 + at));
        return number % 6 < 5 ? { kind: 'answer', text: '', calls } : { kind: 'answer', text: 'Done.' };
      });
      const agent = await start(suiteSession({ window: 8_000 }));
      for (const part of [1, 2]) expect((await agent.ask(`Part ${part}: read the sources.`)).text).toBe('Done.');
      expect(agent.results.length).toBe(40);
      const kept = textsIn(await agent.history());
      expect(agent.results.filter((result) => !kept.has(result))).toEqual([]);
      expect(agent.session.records().length).toBeGreaterThan(0);
    },
  },
  {
    feature: 'reasoning',
    name: 'never sends a thought without what followed it',
    async run({ server, start }) {
      server.play(thinker);
      const agent = await start(suiteSession({ window: 6_000 }), { reasoning: true });
      for (const part of [1, 2, 3, 4]) await agent.ask(`Part ${part}: read the sources.`);
      expect(server.received.length).toBe(32);
      expect(agent.session.records().length).toBeGreaterThan(1);
      // Chat completions take no thoughts back.
      const last = server.received.at(-1)!;
      if (last.protocol !== 'openai') expect(last.raw).toMatch(/I think about step 30|"rs_/);
    },
  },
  {
    feature: 'images',
    name: "sends a picture of the user's request, also after a compaction in this turn",
    async run({ server, start }) {
      server.play(reader(20));
      const agent = await start(suiteSession({ window: 8_000 }));
      await agent.ask({ text: 'Make the page look like this.', image: picture });
      expect(agent.session.records().length).toBeGreaterThan(0);
      for (const { raw } of [server.received[0]!, server.received.at(-1)!]) expect(raw).toContain(picture);
      expect(JSON.stringify(await agent.history())).toContain(picture);
    },
  },
];
