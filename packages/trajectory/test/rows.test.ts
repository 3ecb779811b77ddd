import { isSynthetic } from '@palimpsest/core';
import { describe, expect, it } from 'vitest';
import { createTrajectoryCompactor, hasSystemNotice, isSyntheticTurn, summaryPrefix } from '../src/index.ts';
import { generatedRow, randomNumbers } from './generated-rows.ts';

const countTokens = (text: string): number => Math.ceil(text.length / 4);
const compactor = await createTrajectoryCompactor({ targetTokens: 3_000, countTokens });
const row = JSON.parse(generatedRow(randomNumbers(5), 1, 40_000)) as {
  conversations: { from: string; value: string }[];
};

describe('a line', () => {
  it('keeps every byte outside the replaced turns', async () => {
    const [system, ...turns] = row.conversations;
    const spaced = turns.map(
      (turn) => `{ "from" : ${JSON.stringify(turn.from)},  "value":${JSON.stringify(turn.value)}, "w": 1.0 }`,
    );
    const first = `{"value": "\\u0041 caf\\u00e9 ${system!.value}", "from": "system"}`;
    const line = `{"big": 12345678901234567890, "n": 1.50, "conversations" : [ ${[first, ...spaced].join(' ,\t')} ], "tail": [ "]}\\"" ]}`;
    const result = await compactor.compactLine(line);
    if (result.kind !== 'compacted') throw new Error(result.kind);
    const { region } = result.metrics;
    const before = line.slice(0, line.indexOf(spaced[region!.from - 1]!));
    const behind = line.slice(line.indexOf(spaced[region!.to - 1]!));
    expect(result.text.endsWith(behind)).toBe(true);
    expect(result.text.startsWith(before.slice(0, before.indexOf(system!.value)))).toBe(true);
    for (const kept of spaced.slice(0, region!.from - 1)) expect(result.text).toContain(kept);
    expect(result.text).toContain(
      '{"big": 12345678901234567890, "n": 1.50, "conversations" : [ {"value": "\\u0041 caf\\u00e9',
    );
    const parsed = (JSON.parse(result.text) as typeof row).conversations;
    expect(hasSystemNotice(parsed[0])).toBe(true);
    expect(parsed.filter(isSyntheticTurn)).toHaveLength(1);
  });

  it('inserts a turn that is recognized by its text, with the name that the row uses for human turns', async () => {
    const turns = row.conversations.map(({ from, value }) => ({ from: from === 'human' ? 'user' : from, value }));
    const result = await compactor.compact(turns);
    const inserted = result.turns.filter(isSyntheticTurn) as typeof turns;
    expect(inserted).toEqual([
      { from: 'user', value: expect.stringMatching(/^\[CONTEXT HANDOFF v1, \d+ characters\]\n/) },
    ]);
    expect(inserted[0]!.value.startsWith(summaryPrefix)).toBe(true);
    expect(isSynthetic({ role: 'user', content: inserted[0]!.value })).toBe(true);
    expect(isSyntheticTurn({ ...inserted[0], value: inserted[0]!.value.replace('## Goal', '## Gaol') })).toBe(false);
    expect(isSyntheticTurn({ from: 'gpt', value: inserted[0]!.value })).toBe(false);
  });

  it('can be an OpenAI chat row; calls stay with their results', async () => {
    const messages: Record<string, unknown>[] = [
      { role: 'system', content: 'You work.' },
      { role: 'user', content: 'Go.' },
    ];
    for (let index = 0; index < 40; index++)
      messages.push(
        {
          role: 'assistant',
          content: null,
          tool_calls: [1, 2].map((part) => ({
            id: `${index}-${part}`,
            type: 'function',
            function: { name: 'bash', arguments: '{"command":"ls"}' },
          })),
        },
        ...[1, 2].map((part) => ({ role: 'tool', tool_call_id: `${index}-${part}`, content: 'a result '.repeat(40) })),
      );
    messages.push({ role: 'assistant', content: 'Done.' });
    const line = JSON.stringify({ messages, tools: [{ a: 1 }] });
    const result = await compactor.compactLine(line);
    if (result.kind !== 'compacted') throw new Error(result.kind);
    const after = (JSON.parse(result.text) as { messages: Record<string, unknown>[] }).messages;
    const called = after.flatMap(({ tool_calls: calls }) => ((calls ?? []) as { id: string }[]).map(({ id }) => id));
    const answered = after.flatMap(({ tool_call_id: id }) => (id === undefined ? [] : [id]));
    expect(answered).toEqual(called);
    expect(after.filter(isSyntheticTurn)).toMatchObject([{ role: 'user' }]);
    expect(result.metrics.tokensAfter).toBeLessThanOrEqual(3_000);
    expect(after.at(-1)).toEqual({ role: 'assistant', content: 'Done.' });
  });

  it('is rejected with a reason that contains no conversation text', async () => {
    const reasons: string[] = [];
    for (const line of [
      'no json',
      '[1]',
      '"text"',
      'null',
      '{}',
      '{"conversations":{}}',
      '{"conversations":[]}',
      '{"conversations":[7]}',
      '{"conversations":[{"value":"secret"}]}',
      '{"conversations":[{"from":"alien","value":"secret"}]}',
      '{"conversations":[{"from":"human","value":"secret"},{"from":"gpt","value":null}]}',
      '{"conversations":[{"from":"human","value":7}]}',
      '{"messages":[{"role":"user","content":null}]}',
      '{"messages":[{"role":"king","content":"secret"}]}',
      '{"conversations":[{"from":"constructor","value":"secret"}]}',
    ]) {
      const result = await compactor.compactLine(line);
      reasons.push(result.kind === 'rejected' ? result.reason : `${result.kind}: ${line}`);
    }
    expect(reasons).toEqual([
      'not JSON',
      'a JSON array instead of an object',
      'not a JSON object',
      'not a JSON object',
      'no turns: none of the fields conversations, messages, conversation, trajectory',
      'conversations: not a list of turns',
      'conversations: no turns',
      'conversations: turn 0 is not an object',
      'conversations: turn 0 has no "from"',
      'conversations: turn 0 has the unknown "from" "alien"',
      'conversations: turn 1 has no value',
      'conversations: turn 0 has a value that is not text',
      'messages: turn 0 has no content',
      'messages: turn 0 has the unknown "role" "king"',
      'conversations: turn 0 has the unknown "from" "constructor"',
    ]);
  });

  it('is not compacted again for the same target, but for a smaller one', async () => {
    const once = await compactor.compactLine(JSON.stringify(row));
    if (once.kind !== 'compacted') throw new Error(once.kind);
    expect((await compactor.compactLine(once.text)).kind).toBe('kept');
    const smaller = await createTrajectoryCompactor({ targetTokens: 2_200, countTokens });
    const twice = await smaller.compactLine(once.text);
    if (twice.kind !== 'compacted') throw new Error(twice.kind);
    const turns = (JSON.parse(twice.text) as typeof row).conversations;
    expect(turns.filter(isSyntheticTurn)).toHaveLength(1);
    expect(turns[0]!.value.split('condensed into a handoff')).toHaveLength(2);
  });

  it('is compacted without sending secrets to a summarizer or writing them into a summary', async () => {
    const secret = ['gh', 'p_', 'A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8'].join('');
    const turns = row.conversations.map((turn, index) =>
      index > 6 && index < 20 ? { ...turn, value: `${turn.value}\nerror: token ${secret} was refused` } : turn,
    );
    const prompts: string[] = [];
    const writer = await createTrajectoryCompactor({
      targetTokens: 3_000,
      countTokens,
      summarizer: {
        id: 'leaky',
        summarize: async ({ prompt }) => {
          prompts.push(prompt);
          return {
            text: `## Goal\nx\n## Instructions\nNone.\n## Discoveries\n- ${secret}\n## Accomplished\n1. a\n## Relevant files/directories\nNone.`,
          };
        },
      },
    });
    const { turns: after, metrics } = await writer.compact(turns);
    expect(metrics).toMatchObject({ outcome: 'compacted', calls: prompts.length });
    expect(prompts.join('')).not.toContain(secret);
    expect(JSON.stringify(after.filter(isSyntheticTurn))).not.toContain(secret);
  });
});

describe('counting', () => {
  it('counts each turn once', async () => {
    const seen = new Map<string, number>();
    const turns = row.conversations.map((turn, index) => ({ ...turn, value: `#${index}# ${turn.value}` }));
    const counting = await createTrajectoryCompactor({
      targetTokens: 3_000,
      countTokens: (text) => {
        // Only at the start of a text, because a summary may quote a turn.
        const mark = /^#\d+#/.exec(text)?.[0];
        if (mark) seen.set(mark, (seen.get(mark) ?? 0) + 1);
        return countTokens(text);
      },
    });
    const { metrics } = await counting.compact(turns);
    expect(metrics.wasCompacted).toBe(true);
    expect(seen.size).toBe(turns.length);
    // The system turn is counted again with the notice.
    const twice = [...seen].filter(([mark, times]) => times !== (mark === '#0#' ? 2 : 1));
    expect(twice).toEqual([]);
  });
});

describe('options', () => {
  it('are checked together, and one error lists all problems', async () => {
    await expect(
      createTrajectoryCompactor({ targetTokens: 0, summaryTokens: 10, retries: -1, notice: '' }),
    ).rejects.toMatchObject({
      code: 'OPTION_INVALID',
      message:
        '4 options of createTrajectoryCompactor are not valid:\n' +
        '  targetTokens: expected a whole number of 1 or more; given: 0\n' +
        '  summaryTokens: expected a whole number of 400 or more; given: 10\n' +
        '  notice: expected a non-empty string, or false; given: a string of 0 characters\n' +
        '  retries: expected a whole number of 0 or more; given: -1',
      details: {
        issues: [{ path: 'targetTokens' }, { path: 'summaryTokens' }, { path: 'notice' }, { path: 'retries' }],
      },
    });
  });

  it('can turn the notice off or change it', async () => {
    const silent = await createTrajectoryCompactor({ targetTokens: 3_000, countTokens, notice: false });
    expect((await silent.compact(row.conversations)).turns[0]).toBe(row.conversations[0]);
    const other = await createTrajectoryCompactor({ targetTokens: 3_000, countTokens, notice: ' (shortened)' });
    expect((await other.compact(row.conversations)).turns[0]).toEqual({
      from: 'system',
      value: `${row.conversations[0]!.value} (shortened)`,
    });
  });

  it('do not accept turns that are not a trajectory', async () => {
    await expect(compactor.compact([])).rejects.toMatchObject({ code: 'MESSAGES_INVALID' });
  });
});
