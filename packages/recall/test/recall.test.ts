import type { Message } from '@palimpsest/core';
import { describe, expect, it } from 'vitest';
import { createRecall, type Recall } from '../src/index.ts';
import { exchange, redact, refsIn, summarized } from './histories.ts';

const fileLines = Array.from({ length: 300 }, (_, at) => `export const value${at} = computeTotal(${at});`);
const history: readonly Message[] = [
  { role: 'user', content: 'Rename the option maxRetries to retryLimit.' },
  ...exchange('read_file', { path: 'src/config/userStore.ts' }, fileLines.join('\n')),
  ...exchange('bash', { command: 'npm test' }, 'FAIL test/login.test.ts\nTypeError: session is undefined\n1 failed'),
  ...exchange(
    'write_file',
    { path: 'src/limits.ts', content: 'export const retryLimit = 7;\nexport const pause = 30;' },
    'ok',
  ),
  { role: 'assistant', content: 'The port is 5433 because 5432 is taken.' },
  { role: 'user', content: 'Go on.' },
];

function recallOf(messages: readonly Message[] = history, hidden: number = messages.length - 1): Recall {
  const recall = createRecall({ sessionId: 'one', redact });
  recall.update(messages, summarized(messages, hidden));
  return recall;
}

describe('recall', () => {
  it('finds a hidden tool result by a part of an identifier, with its call, its age and its lines', async () => {
    const answer = await recallOf().callTool('recall', { query: 'TypeError session' });
    expect(answer).toMatch(/^\[1\] ref [0-9a-f]{8}: bash npm test, 5 messages ago, lines 1-3$/m);
    expect(answer).toContain('2| TypeError: session is undefined');
  });

  it.each([
    ['a whole path', 'src/config/userStore.ts'],
    ['a file name', 'userStore.ts'],
    ['a word of a name', 'store'],
  ])('finds the result of a call by %s in its arguments', async (_, query) => {
    expect(await recallOf().callTool('recall', { query })).toContain('read_file src/config/userStore.ts');
  });

  it('finds the line among many and gives its number', async () => {
    const answer = await recallOf().callTool('recall', JSON.stringify({ query: 'value217', limit: 1 }));
    expect(answer).toContain('218| export const value217 = computeTotal(217);');
    expect(refsIn(answer)).toHaveLength(1);
  });

  it('finds the long arguments of a call, and words of the user and the assistant', async () => {
    const recall = recallOf();
    expect(await recall.callTool('recall', { query: 'pause' })).toMatch(
      /arguments of write_file src\/limits\.ts.*\n.*\n?.*pause = 30/,
    );
    expect(await recall.callTool('recall', { query: 'port 5433', tool: 'assistant' })).toContain('5432 is taken');
    expect(await recall.callTool('recall', { query: 'maxRetries', tool: 'user' })).toContain('1| Rename the option');
  });

  it('finds the text that an edit replaced', async () => {
    const edit = {
      path: 'src/limits.ts',
      old_string: 'const pause = 30;\nstart();',
      new_string: 'const rest = 30;\nstart();',
    };
    const messages = [...exchange('edit', edit, 'ok'), ...history];
    const recall = recallOf(messages);
    expect(await recall.callTool('recall', { query: 'rest', tool: 'edit' })).toContain('const rest = 30;');
    expect(await recall.callTool('recall', { query: 'pause', tool: 'edit' })).toContain('const pause = 30;');
  });

  it('ranks the newest request last: it often is the question itself', async () => {
    const question: Message = {
      role: 'user',
      content: 'Which TypeError was in the session? TypeError session undefined',
    };
    const messages = [...history, question];
    const answer = await recallOf(messages, messages.length).callTool('recall', { query: 'TypeError session' });
    expect(answer).toMatch(/^\[1\] ref [0-9a-f]{8}: bash npm test/m);
    expect(answer).toMatch(/^\[2\] ref [0-9a-f]{8}: user message, 1 messages ago/m);
  });

  it('returns the same hits as objects, for a program', async () => {
    const [hit, ...others] = await recallOf().search('TypeError session', 1);
    expect(others).toEqual([]);
    expect(hit).toMatchObject({ tool: 'bash', head: 'bash npm test', at: 4, line: 1 });
    expect(hit!.text).toContain('TypeError: session is undefined');
    expect(await recallOf().callTool('expand', { ref: hit!.ref })).toContain('session is undefined');
  });

  it('shows the text of a ref that is searched for, as `expand` does', async () => {
    const recall = recallOf();
    const [ref] = refsIn(await recall.callTool('recall', { query: 'TypeError session' }));
    const shown = await recall.callTool('expand', { ref });
    expect(shown).toContain('1| FAIL test/login.test.ts');
    for (const query of [ref, `[ref ${ref}]`]) expect(await recall.callTool('recall', { query })).toBe(shown);
  });

  it('takes only what is older than `before`', async () => {
    const recall = recallOf();
    expect(await recall.callTool('recall', { query: 'TypeError', before: 4 })).toContain('session is undefined');
    expect(await recall.callTool('recall', { query: 'TypeError', before: 5 })).toContain(
      'Without them there are matches',
    );
  });

  it('shows the newest of equal texts first, and each text once', async () => {
    const messages = [
      ...exchange('bash', { command: 'git status' }, 'nothing to commit'),
      ...exchange('bash', { command: 'git status -s' }, 'nothing to commit'),
      ...exchange('bash', { command: 'cat notes' }, 'nothing to commit, says the note'),
      ...exchange('bash', { command: 'cat memos' }, 'nothing to commit, says the memo'),
    ];
    const answer = await recallOf(messages, 8).callTool('recall', { query: 'nothing to commit' });
    expect(answer.match(/nothing to commit$/gm)).toHaveLength(1);
    expect(answer.indexOf('memo')).toBeLessThan(answer.indexOf('note'));
  });

  it('does not find what is visible, and names the call to look at', async () => {
    const answer = await recallOf(history, 3).callTool('recall', { query: 'npm test' });
    expect(answer).toBe(
      'Nothing that is hidden matches "npm test". Do not search for it again.\n' +
        'To get it, look at the result of this call in your context, or run it again: bash npm test',
    );
  });

  it('names the file to read when nothing matches', async () => {
    const answer = await recallOf().callTool('recall', { query: 'lib/parser/zebra.py' });
    expect(answer).toContain('Do not search for it again.\nTo get it, read lib/parser/zebra.py again.');
  });

  it('says so when nothing is hidden', async () => {
    const recall = createRecall({ sessionId: 'one', redact });
    expect(await recall.callTool('recall', { query: 'x' })).toContain('Nothing is hidden');
    recall.update(history);
    expect(await recall.callTool('recall', { query: 'port' })).toContain('Nothing is hidden');
  });

  it('never finds its own results and queries', async () => {
    const recall = recallOf();
    const found = await recall.callTool('recall', { query: 'TypeError' });
    const longer = [
      ...history,
      ...exchange('recall', { query: 'TypeError\nagain\nand again' }, found),
      ...exchange('mcp__palimpsest__expand', { ref: refsIn(found)[0]! }, `TypeError again\n${found}`),
    ];
    recall.update(longer, summarized(longer, longer.length));
    expect(refsIn(await recall.callTool('recall', { query: 'TypeError', limit: 10 }))).toEqual(refsIn(found));
    expect(await recall.callTool('recall', { query: 'again' })).toContain('Nothing that is hidden matches');
  });

  it('finds what a rewritten message no longer shows', async () => {
    const stubbed = history.map((message, at) => (at === 2 ? { ...message, content: '[read_file] removed' } : message));
    const outcomes = history.map((_, at) =>
      at === 2 || at === 4 ? { kind: 'rewritten' as const, at, edit: 0, reasons: [] } : { kind: 'kept' as const, at },
    );
    const recall = createRecall({ sessionId: 'one', redact });
    recall.update(history, { messages: stubbed, provenance: { output: [], source: outcomes } });
    expect(await recall.callTool('recall', { query: 'value9' })).toContain('10| export const value9');
    // Message 4 was rewritten, but its text is the same.
    expect(await recall.callTool('recall', { query: 'undefined' })).toContain('Nothing that is hidden matches');
    expect(recall.refsOf(2)).toMatchObject([{ tool: 'read_file', head: 'read_file src/config/userStore.ts' }]);
    expect(recall.refsOf(4)).toEqual([]);
  });
});

describe('the index after a change', () => {
  it('has new messages after an append, and nothing after undo', async () => {
    const recall = recallOf();
    const longer = [...history, ...exchange('bash', { command: 'cat zebra' }, 'stripes')];
    expect(await recall.callTool('recall', { query: 'stripes' })).toContain('Nothing');
    recall.update(longer, summarized(longer, longer.length));
    const found = await recall.callTool('recall', { query: 'stripes' });
    expect(found).toContain('1| stripes');
    recall.update(longer, null);
    expect(await recall.callTool('recall', { query: 'stripes' })).toContain('Nothing is hidden');
    expect(await recall.callTool('expand', { ref: refsIn(found)[0] })).toMatch(/no longer hidden.*bash cat zebra/);
  });

  it('keeps refs when the same messages come as new objects, and finds only the edited text after an edit', async () => {
    const recall = recallOf();
    const before = refsIn(await recall.callTool('recall', { query: 'TypeError' }));
    const copied = JSON.parse(JSON.stringify(history)) as Message[];
    recall.update(copied, summarized(copied, copied.length));
    expect(refsIn(await recall.callTool('recall', { query: 'TypeError' }))).toEqual(before);
    copied[4] = { ...copied[4]!, content: 'RangeError: out of bounds' };
    recall.update(copied, summarized(copied, copied.length));
    expect(await recall.callTool('recall', { query: 'session' })).toContain('Nothing that is hidden matches');
    expect(await recall.callTool('recall', { query: 'RangeError' })).toContain('1| RangeError');
    expect(await recall.callTool('expand', { ref: before[0] })).toContain('Do not use the ref again');
  });

  it('still finds everything after most of it was replaced', async () => {
    const recall = createRecall({ sessionId: 'one', redact });
    const batch = (name: string) =>
      Array.from({ length: 700 }, (_, at) =>
        exchange('bash', { command: `${name} ${at}` }, `${name} output${at}`),
      ).flat();
    for (const name of ['alpha', 'beta']) {
      const messages = batch(name);
      recall.update(messages, summarized(messages, messages.length));
      expect(await recall.callTool('recall', { query: 'output333', limit: 1 })).toContain(`1| ${name} output333`);
    }
    expect(await recall.callTool('recall', { query: 'alpha' })).toContain('Nothing that is hidden matches');
  });
});

describe('expand', () => {
  const refOf = async (recall: Recall, query: string) =>
    refsIn(await recall.callTool('recall', { query, limit: 1 }))[0]!;

  it('shows a text page by page, every line once', async () => {
    const recall = recallOf();
    const ref = await refOf(recall, 'value5');
    const seen: string[] = [];
    let call: Record<string, unknown> | null = { ref };
    for (let pages = 0; call && pages < 20; pages++) {
      const answer: string = await recall.callTool('expand', call);
      seen.push(...[...answer.matchAll(/^\d+\| (.*)$/gm)].map((match) => match[1]!));
      const next: RegExpExecArray | null = /^More: expand (\{.*\})$/m.exec(answer);
      call = next && (JSON.parse(next[1]!) as Record<string, unknown>);
    }
    expect(seen).toEqual(fileLines);
  });

  it.each([
    ['120-122', [120, 121, 122]],
    ['299-', [299, 300]],
    [
      [7, 8],
      [7, 8],
    ],
    [12, [12]],
  ])('shows the lines %j', async (lines, rows) => {
    const recall = recallOf();
    const answer = await recall.callTool('expand', { ref: await refOf(recall, 'value5'), lines });
    expect([...answer.matchAll(/^(\d+)\|/gm)].map((match) => Number(match[1]))).toEqual(rows);
  });

  it.each([
    ['VALUE150 ', 0, [151]],
    ['value20*(20)', 1, [20, 21, 22]],
    ['value10 |value290 ', 0, [11, 291]],
  ])('shows the lines with the pattern %j', async (pattern, context, rows) => {
    const recall = recallOf();
    const answer = await recall.callTool('expand', { ref: await refOf(recall, 'value5'), pattern, context });
    expect([...answer.matchAll(/^(\d+)\|/gm)].map((match) => Number(match[1]))).toEqual(rows);
  });

  it('gives a final answer for a pattern, a line or a ref that is not there', async () => {
    const recall = recallOf();
    const ref = await refOf(recall, 'value5');
    expect(await recall.callTool('expand', { ref, pattern: '(a+)+$' })).toContain('No line has this pattern');
    expect(await recall.callTool('expand', { ref, lines: '4000-' })).toContain('It has no line 4000.');
    expect(await recall.callTool('expand', { ref: '00000000' })).toContain('Do not use it again. Call recall');
    expect(await recall.callTool('expand', {})).toContain('expand needs "ref"');
    const odd = '{"toString":1,"valueOf":1}';
    expect(
      await recall.callTool('expand', `{"ref":"${ref}","lines":[${odd}],"pattern":${odd},"context":${odd}}`),
    ).toContain('| export');
    expect(
      await recall.callTool('recall', `{"query":"value5","limit":${odd},"tool":${odd},"before":${odd}}`),
    ).toContain('| export');
    expect(await recall.callTool('expand', '[1')).toBe('The arguments are not a JSON object.');
  });

  it('does not know the refs of another session', async () => {
    const recall = createRecall({ sessionId: 'two', redact });
    recall.update(history, summarized(history, history.length));
    const ref = await refOf(recallOf(), 'value5');
    expect(await recall.callTool('expand', { ref })).toContain('No hidden text of this conversation has this ref');
  });

  it('finds a pattern across the end of a wrapped row, once', async () => {
    const line = `${'x'.repeat(490)}needle in a long line${'y'.repeat(3000)}`;
    const messages = exchange('bash', { command: 'cat data' }, line);
    const recall = recallOf(messages, 2);
    const answer = await recall.callTool('expand', {
      ref: await refOf(recall, 'data'),
      pattern: 'needle in a long',
      context: 0,
    });
    expect(answer).toContain('1 matching lines');
  });
});

it('refuses invalid options', () => {
  expect(() => createRecall({ sessionId: '', redact, maxTokens: 10 })).toThrow(/sessionId: .*maxTokens: /s);
});
