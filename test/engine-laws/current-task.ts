import { agentReader } from '@palimpsest/agents';
import {
  type CompressOptions,
  type CompressResult,
  type ContextEngine,
  contentWithoutHandoff,
  type EngineHost,
  type Message,
  readHandoff,
} from '@palimpsest/core';
import { Transcript, writeHandoff } from '@palimpsest/core/authoring';
import {
  assistant,
  autonomousWork,
  call,
  callsWithResults,
  chat,
  foreignHandoffTexts,
  harnessTexts,
  image,
  promptTokens,
  quarterCounter,
  scenarioFor,
  testHost,
  text,
  user,
} from '@palimpsest/testkit';
import { describe, expect, it } from 'vitest';

/** Long rounds of an agent that works on one request for a long time. */
export function rounds(count: number): Message[] {
  return autonomousWork(count, count > 100 ? 4_000 : 2_000).slice(2);
}

/** Forces a compaction in the strictest dialect. The messages take a share of the window. */
export async function compactWith(
  makeEngine: (host: EngineHost) => ContextEngine,
  messages: Message[],
  share: number,
  asked: CompressOptions = {},
): Promise<CompressResult<Message>> {
  const scenario = scenarioFor(messages, share, { force: true, ...asked }, 'strict');
  const engine = makeEngine(testHost({ dialect: 'strict' }));
  await engine.updateModel(scenario.model);
  return engine.compress(messages, scenario.asked);
}

/** The current task in the output, without a handoff before it. */
export function currentTask(messages: readonly unknown[]): Message['content'][] {
  const output = [...messages] as Message[];
  const { task } = Transcript.of(output, quarterCounter, { reader: agentReader });
  return task ? output.slice(task.from, task.to).map((message) => contentWithoutHandoff(message, agentReader)) : [];
}

export const taskText = 'Rename the parser in src/range.ts.\n\nKeep  its   tests; never touch the lock file. ';
const long = `${taskText}\n${'The spec says so. '.repeat(500)}`;

/**
 * How an engine for small windows treats the current task and targets.
 * @param leastShare smallest share of a target that the output must use
 */
export function taskLaws(makeEngine: (host: EngineHost) => ContextEngine, leastShare: number): void {
  const compacted = (messages: Message[], share: number, asked: CompressOptions = {}) =>
    compactWith(makeEngine, messages, share, asked);

  describe('the current task is in the output verbatim', () => {
    it.each([
      ['12 bulky rounds', 12],
      ['300 bulky rounds', 300],
    ])('before %s, and the transcript shrinks to its target', async (_name, count) => {
      for (const own of count > 100 ? [taskText] : [taskText, long]) {
        const messages = [...chat(3), user(own), ...rounds(count)];
        const targetTokens = Math.max(6_500, Math.round(promptTokens(messages) * 0.2));
        const { messages: output, report, outcome } = await compacted(messages, 0.5, { targetTokens });
        expect(outcome).toBe('compacted');
        expect(currentTask(output)).toEqual([own]);
        // The last result is unread, so it comes on top of the target.
        const { unreadTokens } = Transcript.of(messages, quarterCounter, { reader: agentReader });
        expect(report.tokensAfter).toBeLessThanOrEqual(targetTokens + unreadTokens);
        expect(report.overTargetTokens).toBe(0);
        // The output has a tail, not only the handoff.
        expect(report.kept).toBeGreaterThanOrEqual(3);
      }
    });

    it.each([
      ['a blank echo', user('')],
      ['a blank part', user([text('  ')])],
      ['a nudge', user('[System: continue with the open todos]')],
      ['a todo snapshot', user('## Current todo list\n- [x] read\n- [ ] rename')],
      ['an interrupt', user('[Request interrupted by user]')],
      ['another handoff', user(writeHandoff('## Goal\nKnow the modules.'))],
      ["another system's handoff", user(foreignHandoffTexts[0]!)],
      ...harnessTexts.map((harness, index): [string, Message] => [`harness text ${index}`, user(harness)]),
    ])('before %s', async (_name, noise) => {
      for (const between of [[], rounds(16)])
        for (const own of [taskText, [text(taskText), image()]]) {
          const messages = [...chat(8, 2_000), user(own), ...between, noise, ...rounds(between.length > 0 ? 3 : 0)];
          const { messages: output } = await compacted(messages, 0.3);
          const found = currentTask(output).flat();
          expect(JSON.stringify(found)).toContain(JSON.stringify(typeof own === 'string' ? own : own[0]));
        }
    });

    it('when it is several messages, and when a reply to it has begun', async () => {
      const own = [user(taskText), user([text('And this picture:'), image()])];
      for (const tail of [[], rounds(20), [...rounds(20), assistant(null, call('last', 'read_file', { path: 'a' }))]]) {
        const messages = [...chat(20), ...own, ...tail];
        const { messages: output, outcome } = await compacted(messages, 0.3);
        expect(outcome).toBe('compacted');
        expect(JSON.stringify(currentTask(output))).toContain(JSON.stringify(taskText));
        expect(JSON.stringify(currentTask(output))).toContain('And this picture:');
      }
    });
  });

  describe('a target', () => {
    const shapes: [string, Message[]][] = [
      ['a chat', [...chat(40, 2_000), user(taskText)]],
      ['long work on one request', [...chat(2), user(taskText), ...rounds(40)]],
      ['a long request in the tail', [...chat(70, 2_000), user(long), ...rounds(2)]],
    ];
    it.each(
      shapes.flatMap(([name, messages]) => [0.6, 0.35, 0.2, 0.12].map((share) => [name, share, messages] as const)),
    )('is met on %s at %d', async (_name, share, messages) => {
      const overheadTokens = 700;
      const targetTokens = Math.round(promptTokens([...messages]) * share) + overheadTokens;
      const { report } = await compacted([...messages], 0.9, { targetTokens, overheadTokens });
      expect(report.overTargetTokens).toBe(0);
      // It does not drop more than requested.
      expect(report.tokensAfter).toBeGreaterThan(targetTokens * leastShare);
    });

    it('that cannot be met is reported as missed', async () => {
      const { report } = await compacted([...chat(30), user(long)], 0.5, { targetTokens: 500 });
      expect(report.overTargetTokens).toBe(report.tokensAfter - 500);
      expect(report.message).toContain('The target was missed by');
    });
  });

  describe('turns the caller asks to keep', () => {
    it.each([1, 2, 5, 12])('are unchanged: the last %d', async (keepLastTurns) => {
      // Some have no reply, as after an interrupt. A tail must not begin there.
      const turns = Array.from({ length: 30 }, (_, turn) => [
        user(`Request ${turn}`),
        ...callsWithResults([call(`t${turn}`, 'terminal', { command: `run ${turn}` }), `${turn} ok\n`.repeat(600)]),
        ...(turn % 4 === 1 ? [] : [assistant(`Reply ${turn}.`)]),
      ]);
      const messages = turns.flat();
      for (const target of [{}, { targetTokens: 3_000 }]) {
        const { messages: output } = await compacted(messages, 0.4, { keepLastTurns, ...target });
        const kept = turns.slice(-keepLastTurns).flat();
        const [opening, ...rest] = kept;
        // A handoff may precede the first of them.
        const same = output.slice(-rest.length);
        rest.forEach((message, index) => expect(same[index]).toBe(message));
        const first = [...output].at(-kept.length) as Message;
        expect(contentWithoutHandoff(first, agentReader)).toBe(opening!.content);
      }
    });
  });

  it('an image-heavy tail does not outgrow its budget', async () => {
    const looks = Array.from({ length: 40 }, (_, at) =>
      callsWithResults([call(`i${at}`, 'screenshot', {}), [text(`Page ${at}`), image()]]),
    );
    const messages = [...chat(4), user('Book the trip.'), ...looks.flat()];
    const { messages: output, report } = await compacted(messages, 0.5);
    expect(report.tokensAfter).toBeLessThan(report.tokensBefore / 2);
    expect([...output].filter((message) => readHandoff(message as Message))).toHaveLength(1);
  });
}
