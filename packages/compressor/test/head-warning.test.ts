import type { Message } from '@palimpsest/core';
import { assistant, call, callsWithResults, chat, testHost, user } from '@palimpsest/testkit';
import { describe, expect, it } from 'vitest';
import { makeEngine } from './make-engine.ts';

const agent: Message[] = [
  user('The first request.'),
  ...Array.from({ length: 30 }, (_, at) =>
    callsWithResults([call(`call_${at}`, 'bash', { command: `run ${at}` }), `${at} ${'result '.repeat(500)}`]),
  ).flat(),
  assistant('Done.'),
  user('Go on.'),
];
const isHeadWarning = expect.stringMatching(/^protectFirst \(\d\) kept no message: .* use pins\.$/);

async function compacted(protectFirst: number | undefined, messages: readonly Message[]) {
  const engine = makeEngine(testHost(), {
    threshold: 0.5,
    minimumThreshold: 0,
    ...(protectFirst === undefined ? {} : { protectFirst }),
  });
  await engine.updateModel({ id: 'm', contextLength: 16_000 });
  const first = await engine.compress(messages, { force: true });
  const grown = [...(first.messages as Message[]), assistant('So it is.'), ...chat(40).slice(1)];
  return { first: first.report, second: (await engine.compress(grown, { force: true })).report };
}

describe('a set protectFirst that keeps no message', () => {
  it.each([1, 3])('is reported by the first compaction, and not again, with %i', async (protectFirst) => {
    const { first, second } = await compacted(protectFirst, agent);
    expect(first.warnings).toContainEqual(isHeadWarning);
    expect(second.summarized).toBeGreaterThan(0);
    expect(second.warnings).not.toContainEqual(isHeadWarning);
  });

  it('is not reported if it was not set, is 0, or kept a message', async () => {
    for (const [protectFirst, messages] of [
      [undefined, agent],
      [0, agent],
      [4, chat(60)],
    ] as const) {
      const { first } = await compacted(protectFirst, messages);
      expect(first.summarized).toBeGreaterThan(0);
      expect(first.warnings).not.toContainEqual(isHeadWarning);
    }
  });
});
