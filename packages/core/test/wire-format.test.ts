import { describe, expect, it } from 'vitest';
import { checkContract, groupMessages, Transcript, writeHandoff } from '../src/authoring.ts';
import {
  apply,
  type Dialect,
  type Edit,
  type Inserted,
  type Message,
  missingResult,
  repairToolPairs,
  type TokenCounter,
  validateTranscript,
} from '../src/index.ts';
import { harnessReader } from './harness-reader.ts';

const removedCall = '[A tool call or result that was out of place was removed here.]';

const counter: TokenCounter = { countText: () => 1, countMessage: () => 1 };
const user = (content: string): Message => ({ role: 'user', content });
const reply = (content: string): Message => ({ role: 'assistant', content });
const calling = (...ids: string[]): Message => ({
  role: 'assistant',
  content: null,
  tool_calls: ids.map((id) => ({ id, type: 'function', function: { name: 'read', arguments: '{}' } })),
});
const result = (id: string): Message => ({ role: 'tool', tool_call_id: id, content: `of ${id}` });
const legacy: Message = { role: 'assistant', content: null, function_call: { name: 'weather', arguments: '{}' } };
const answer: Message = { role: 'function', name: 'weather', content: 'sunny' };

describe('groups', () => {
  const edges = (messages: Message[]): number[] => groupMessages(messages).map(({ to }) => to);

  it('contain an assistant message with calls up to its last result, with everything in between', () => {
    expect(edges([user('a'), calling('1', '2'), result('2'), result('1'), reply('b')])).toEqual([1, 4, 5]);
    expect(edges([calling('1', '2'), result('1'), user('wait'), result('2'), user('b')])).toEqual([4, 5]);
    expect(edges([legacy, answer, user('b')])).toEqual([2, 3]);
  });

  it('match results only before the next calls, because ids repeat', () => {
    expect(edges([calling('1'), result('1'), calling('1'), result('1')])).toEqual([2, 4]);
    expect(edges([calling('1'), calling('2'), result('2'), result('1')])).toEqual([1, 4]);
  });

  it('keep an orphan and a pending call as separate groups', () => {
    expect(edges([result('9'), user('a'), calling('1'), user('b')])).toEqual([1, 2, 3, 4]);
  });

  it('contain two results for an id that a message uses twice', () => {
    expect(edges([calling('1', '1'), result('1'), user('wait'), result('1'), user('b')])).toEqual([4, 5]);
  });
});

describe('a transcript', () => {
  const messages = [user('a'), calling('1'), result('1'), user('b'), user('c'), calling('2')];
  const transcript = Transcript.of(messages, {
    countText: () => 0,
    countMessage: (_, options) => (options?.reasoning ? 10 : 1),
  });

  it('knows the current task, the pending tool calls, and sums of tokens', () => {
    expect(transcript.task).toEqual({ from: 3, to: 5 });
    expect(transcript.pendingCalls).toEqual({ kind: 'calls', from: 5, to: 6 });
    expect(transcript.unreadTokens).toBe(0);
    expect(transcript.totalTokens).toBe(15);
    expect([
      transcript.tokens(0),
      transcript.tokens(5),
      transcript.tokensBetween(1, 4),
      transcript.tokensOfGroups(1, 3),
    ]).toEqual([1, 10, 3, 3]);
    expect([0, 1, 2, 3].map((index) => transcript.groupOf(index))).toEqual([0, 1, 1, 2]);
    expect(transcript.tokensOfGroups(2, 2)).toBe(0);
  });

  it('knows the results that the model has not seen, whatever follows them', () => {
    const read = [user('a'), calling('1'), result('1')];
    const pendingIn = (...more: Message[]): unknown => {
      const { pendingCalls, unreadTokens } = Transcript.of([...read, ...more], counter);
      return pendingCalls && [pendingCalls.from, pendingCalls.to, unreadTokens];
    };
    const system: Message = { role: 'system', content: 'The user is away.' };
    expect(pendingIn()).toEqual([1, 3, 1]);
    expect(pendingIn(user('a reminder'))).toEqual([1, 3, 1]);
    expect(pendingIn(system, user('typed meanwhile'), { ...system, role: 'developer' })).toEqual([1, 3, 1]);
    expect(pendingIn(calling('2', '3'), result('2'), result('3'), user('a reminder'))).toEqual([3, 6, 2]);
    expect(pendingIn(calling('2'), user('wait'), result('2'), user('a reminder'))).toEqual([3, 6, 1]);
    expect(pendingIn(reply('b'), user('c'))).toBe(null);
    expect(pendingIn(calling('2'), user('never mind'))).toBe(null);
  });

  it('has no request without a user message from a person', () => {
    expect(Transcript.of([], counter).task).toBeNull();
    expect(Transcript.of([user('OBSERVATION:\nok')], counter, { reader: harnessReader }).task).toBeNull();
    expect(Transcript.of([user('a')], counter, { isFromPerson: () => false }).task).toBeNull();
  });
});

describe('validating', () => {
  const rows: Readonly<Record<string, readonly [Message[], Dialect, readonly string[]]>> = {
    'a valid chat': [[user('a'), calling('1'), result('1'), reply('b')], 'strict', []],
    'pending calls at the end': [[user('a'), calling('1', '2'), result('1')], 'strict', []],
    'a call without a result': [[user('a'), calling('1'), user('b')], 'openai', ['call-unanswered 1']],
    'a late result': [
      [user('a'), calling('1'), user('b'), result('1')],
      'openai',
      ['result-misplaced 1', 'result-orphan 3'],
    ],
    'a result without a call': [[user('a'), result('1')], 'openai', ['result-orphan 1']],
    'a result twice': [[user('a'), calling('1'), result('1'), result('1')], 'openai', ['result-orphan 3']],
    'an id twice': [[user('a'), calling('1', '1')], 'openai', ['call-id-duplicate 1']],
    'arguments that are not JSON': [
      [
        user('a'),
        { role: 'assistant', tool_calls: [{ id: '1', type: 'function', function: { name: 'f', arguments: '{' } }] },
      ],
      'openai',
      ['arguments-not-json 1'],
    ],
    'custom input, which need not be JSON': [
      [user('a'), { role: 'assistant', tool_calls: [{ id: '1', type: 'custom', custom: { name: 'f', input: '{' } }] }],
      'openai',
      [],
    ],
    blanks: [[user(' '), reply('')], 'openai', ['user-empty 0', 'assistant-empty 1']],
    'an unknown role': [[{ role: 'critic' as 'user', content: 'x' }], 'openai', ['role-unknown 0']],
    'two user turns in a row, where that is allowed': [[user('a'), user('b')], 'openai', []],
    'two user turns in a row, where turns must alternate': [
      [user('a'), user('b')],
      'anthropic',
      ['roles-not-alternating 1'],
    ],
    'a user message after a result, which is a user turn itself': [
      [user('a'), calling('1'), result('1'), user('b')],
      'anthropic',
      [],
    ],
    'two user turns around an exchange, for a template that does not count exchanges': [
      [user('a'), calling('1'), result('1'), user('b')],
      'strict',
      ['roles-not-alternating 3'],
    ],
    'an assistant turn first': [[reply('a'), user('b')], 'anthropic', ['first-not-user 0']],
    'a late system message': [
      [user('a'), { role: 'system', content: 'x' }, reply('b')],
      'strict',
      ['system-misplaced 1'],
    ],
    'a legacy call and its answer': [[user('a'), legacy, answer], 'openai', []],
    'a legacy answer without a call': [[user('a'), answer], 'openai', ['result-orphan 1']],
  };
  for (const [what, [messages, dialect, expected]] of Object.entries(rows))
    it(`reports ${what} (${dialect})`, () => {
      expect(validateTranscript(messages, { dialect }).map(({ rule, index }) => `${rule} ${index}`)).toEqual(expected);
    });

  it('never quotes the transcript', () => {
    const found = validateTranscript([user('secret'), user('secret'), calling('secret-id'), reply('')], {
      dialect: 'strict',
    });
    expect(found.length).toBeGreaterThan(1);
    expect(JSON.stringify(found)).not.toContain('secret');
  });
});

describe('repairing', () => {
  it('removes a result without a call, moves a late one, and adds one for a call without a result', () => {
    const messages = [result('9'), user('a'), calling('1', '2'), user('wait'), result('1'), user('b')];
    const repaired = repairToolPairs(messages);
    expect(repaired.messages).toEqual([
      user('a'),
      calling('1', '2'),
      result('1'),
      { role: 'tool', tool_call_id: '2', content: missingResult },
      user('wait'),
      user('b'),
    ]);
    expect(repaired.repairs.map(({ index, action }) => `${action} ${index}`)).toEqual([
      'result-removed 0',
      'result-moved 4',
      'call-answered 2',
    ]);
    expect(repaired.messages).toContain(messages[4]);
  });

  it('removes the call if a template counts calls, and keeps the text', () => {
    const spoken: Message = { ...calling('1'), content: 'let me see' };
    expect(repairToolPairs([user('a'), spoken, user('b')], { dialect: 'strict' }).messages).toEqual([
      user('a'),
      reply('let me see'),
      user('b'),
    ]);
    expect(repairToolPairs([user('a'), calling('1'), user('b')], { dialect: 'strict' }).messages).toEqual([
      user('a'),
      reply(removedCall),
      user('b'),
    ]);
    const both = [user('a'), calling('1', '2'), result('2'), user('b')];
    expect(repairToolPairs(both, { dialect: 'strict' }).messages).toEqual([
      user('a'),
      calling('2'),
      result('2'),
      user('b'),
    ]);
  });

  it('never puts two turns of the same role in a row if roles must alternate', () => {
    const spoken: Message = { ...calling('1'), content: 'let me see' };
    const notice = user(`<harness-message>\n${removedCall}\n</harness-message>`);
    const cases: readonly (readonly [Dialect, Message[], Message[]])[] = [
      ['strict', [user('a'), calling('1'), calling('2'), user('b')], [user('a'), reply(removedCall), user('b')]],
      ['strict', [user('a'), calling('1'), reply('b')], [user('a'), reply('b')]],
      [
        'strict',
        [user('a'), reply('b'), spoken, user('c')],
        [user('a'), reply('b'), notice, reply('let me see'), user('c')],
      ],
      ['strict', [user('a'), reply('b'), calling('1'), reply('c')], [user('a'), reply('b'), notice, reply('c')]],
      ['anthropic', [user('a'), result('9'), user('b')], [user('a'), reply(removedCall), user('b')]],
      [
        'anthropic',
        [user('a'), calling('1'), result('1'), result('9'), user('b')],
        [user('a'), calling('1'), result('1'), user('b')],
      ],
      ['openai', [user('a'), result('9'), user('b')], [user('a'), user('b')]],
    ];
    for (const [dialect, messages, wanted] of cases) {
      const { messages: repaired } = repairToolPairs(messages, { dialect });
      expect(repaired).toEqual(wanted);
      expect(validateTranscript(repaired as Message[], { dialect })).toEqual([]);
    }
    expect(Transcript.of([notice as Message], counter).isFromPerson(0)).toBe(false);
  });

  it('keeps a legacy call with its answer if the other calls of the message are removed', () => {
    const mixed: Message = { ...calling('1'), function_call: { name: 'weather', arguments: '{}' } };
    const { messages } = repairToolPairs([user('a'), mixed, answer, user('b')], { dialect: 'strict' });
    expect(messages).toEqual([user('a'), legacy, answer, user('b')]);
    expect(validateTranscript(messages as Message[])).toEqual([]);
  });

  it('adds a result for a call at the end if another message follows it', () => {
    const { messages } = repairToolPairs([user('a'), calling('1', '2'), user('wait'), result('1')]);
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'tool', 'user']);
    expect(validateTranscript(messages as Message[])).toEqual([]);
  });

  it('keeps pending calls, and returns the same array if nothing is broken', () => {
    for (const messages of [[user('a'), calling('1', '2'), result('1')], [user('a'), reply('b')], []])
      expect(repairToolPairs(messages).messages).toBe(messages);
  });
});

describe('the contract check', () => {
  const guard = (messages: readonly Message[], edits: readonly Edit[], dialect: Dialect = 'openai'): string[] => {
    const transcript = Transcript.of(messages, counter);
    return checkContract(transcript, apply(messages, edits), dialect).map(
      ({ invariant, index }) => `${invariant} at ${index}`,
    );
  };
  const drop = (from: number, to: number): Edit => ({
    kind: 'replace',
    groups: [from, to],
    with: [],
    reasons: [{ code: 'drop' }],
  });

  it('accepts violations that the input already had in the same messages', () => {
    expect(guard([user('a'), calling('1'), user('b'), result('9'), user('c')], [drop(0, 1)])).toEqual([]);
    expect(guard([user('a'), reply('b'), user('c'), user('d')], [drop(0, 2)], 'strict')).toEqual([]);
  });

  it('accepts an orphan that moves after another exchange, or near a call without a result', () => {
    expect(guard([user('a'), calling('1'), result('1'), reply('x'), result('9'), user('c')], [drop(2, 3)])).toEqual([]);
    expect(
      guard(
        [user('a'), calling('1'), calling('2'), result('2'), user('b'), result('1'), user('c'), reply('d')],
        [drop(2, 3)],
      ),
    ).toEqual([]);
  });

  it('accepts a reminder after the pending tool calls where it already was a second user turn', () => {
    const exchange = [calling('1'), result('1')];
    const summary: Edit = {
      kind: 'replace',
      groups: [0, 2],
      with: [{ handoff: writeHandoff('notes'), carry: [0] }],
      reasons: [{ code: 'summarize' }],
    };
    const work = [user('a'), ...exchange, calling('2'), result('2'), user('a reminder')];
    expect(guard(work, [summary], 'strict')).toEqual([]);
    expect(
      guard([user('a'), ...exchange, reply('b'), ...exchange, user('c')], [{ ...summary, groups: [0, 3] }], 'strict'),
    ).toEqual(['2 at 3']);
    expect(guard(work, [{ ...summary, groups: [0, 3] }], 'strict')).toContain('5 at 3');
  });

  it('accepts an answer that moves directly before later calls, if an assistant message followed it before', () => {
    const messages = [user('a'), reply('b'), calling('1'), result('1'), calling('2'), result('2'), user('c')];
    expect(guard(messages, [drop(2, 3)], 'anthropic')).toEqual([]);
    expect(guard([user('a'), reply('b'), user('c'), calling('1'), result('1')], [drop(2, 3)], 'anthropic')).toContain(
      '2 at 2',
    );
  });

  it('reports two turns of the same role that become adjacent', () => {
    expect(guard([user('a'), reply('b'), user('c')], [drop(1, 2)], 'anthropic')).toEqual(['2 at 1']);
    expect(guard([user('a'), reply('b'), user('c')], [drop(1, 2)], 'openai')).toEqual([]);
    expect(guard([user('a'), user('b'), user('c')], [drop(1, 2)], 'strict')).toContain('2 at 1');
  });

  it('reports a lost request, changed pending tool calls and a changed system message', () => {
    const messages: Message[] = [{ role: 'system', content: 's' }, user('a'), calling('1'), result('1')];
    expect(guard(messages, [{ kind: 'rewrite', at: 0, set: { content: 'x' }, reasons: [{ code: 'stub' }] }])).toEqual([
      '4 at 0',
    ]);
    expect(guard(messages, [drop(1, 2)])).toEqual(['3 at 1']);
    expect(guard(messages, [drop(2, 3)])).toEqual(['5 at 2', '5 at 3']);
    expect(guard(messages, [{ kind: 'rewrite', at: 3, set: { content: 'x' }, reasons: [{ code: 'stub' }] }])).toEqual([
      '5 at 3',
    ]);
  });

  it('names the part of a request that is lost', () => {
    expect(guard([user('a'), user('b')], [drop(1, 2)])).toEqual(['3 at 1']);
    expect(guard([user('a'), user('b')], [drop(0, 1)])).toEqual(['3 at 0']);
  });

  it('reports a carried request that is not the suffix of its message', () => {
    const carried = (over: Partial<Inserted>): Edit => ({
      kind: 'replace',
      groups: [0, 2],
      with: [{ handoff: writeHandoff('notes'), carry: [0, 1], ...over }],
      reasons: [{ code: 'summarize' }],
    });
    const messages = [user('<harness-message>\nToday is Monday.\n</harness-message>'), user('fix it'), calling('1')];
    expect(guard(messages, [carried({})])).toEqual([]);
    expect(guard(messages, [carried({ quote: [0], carry: [1] })])).toEqual([]);
    expect(guard(messages, [carried({ carry: [1, 0] })])).toEqual(['3 at 1']);
    expect(guard(messages, [carried({ quote: [1], carry: [0] })])).toEqual(['3 at 1']);
    expect(guard(messages, [carried({ carry: [0, { at: 1, skip: 4 }] })])).toEqual(['3 at 1']);
  });

  it('accepts a note after a system prompt only with its own reason', () => {
    const note = (code: string, content: string): Edit => ({
      kind: 'rewrite',
      at: 0,
      set: { content },
      reasons: [{ code }],
    });
    const messages: Message[] = [{ role: 'system', content: 'be brief' }, user('a')];
    expect(guard(messages, [note('system-note', 'be brief\n\nSome turns were condensed.')])).toEqual([]);
    expect(guard(messages, [note('stub', 'be brief\n\nSome turns were condensed.')])).toEqual(['4 at 0']);
    expect(guard(messages, [note('system-note', 'be long')])).toEqual(['4 at 0']);
  });
});
