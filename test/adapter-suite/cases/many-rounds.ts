import { expect } from 'vitest';
import { roundsForEach, scriptedModel } from '../../coding-agent/scripted-model.ts';
import type { AdapterCase } from '../adapter-case.ts';
import { changedPrefixes, suiteSession, textsIn } from '../suite-agent.ts';

/** @param rounds rounds of tools, a multiple of 25 */
export const manyRounds = (rounds: number): AdapterCase => ({
  feature: null,
  name: `runs ${rounds} rounds of tools in a window of 16K without one rejected request`,
  async run({ server, start }) {
    const { log, script } = scriptedModel(16_000, rounds);
    server.play(script);
    const agent = await start(suiteSession());
    for (let request = 1; request <= rounds / roundsForEach; request++)
      await agent.ask(`Part ${request}: read the next sources. Keep number ${request * 1_009} in mind.`);
    expect(log.rounds).toBe(rounds);
    expect(log.refused).toEqual([]);
    expect(server.received.length).toBe(rounds + rounds / roundsForEach);
    expect(agent.session.records().length).toBeGreaterThanOrEqual(rounds / 50);
    // The framework has the whole conversation.
    const kept = textsIn(await agent.history());
    expect(agent.results.filter((result) => !kept.has(result))).toEqual([]);
    expect(server.received.at(-1)!.text).toContain(`Keep number ${(rounds / roundsForEach) * 1_009}`);
    // The provider's cache stays warm: only a compaction changes bytes that were sent before.
    expect(changedPrefixes(server.received).length).toBeLessThanOrEqual(agent.session.records().length);
  },
});
