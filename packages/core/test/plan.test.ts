import { describe, expect, it } from 'vitest';
import { Draft, Transcript, writeHandoff } from '../src/authoring.ts';
import {
  apply,
  type Carried,
  type CoreErrorCode,
  compose,
  type Edit,
  type EditReason,
  type Inserted,
  type Message,
  PalimpsestError,
  type Part,
  type TokenCounter,
} from '../src/index.ts';

/** Counts one token per character, and ten for reasoning if it counts. */
const counter: TokenCounter = {
  countText: (text) => text.length,
  countMessage: ({ content, reasoning_content: reasoning }, options) =>
    (typeof content === 'string' ? content.length : 0) + (options?.reasoning && reasoning ? 10 : 0),
};

const reasons: readonly EditReason[] = [{ code: 'stub' }];
const handoff = (body: string, ...carry: Carried[]): Inserted => ({ handoff: writeHandoff(body), carry });
const history: readonly Message[] = [
  { role: 'system', content: 'be brief' },
  { role: 'user', content: 'read it' },
  {
    role: 'assistant',
    content: null,
    tool_calls: [
      { id: 'a', type: 'function', function: { name: 'read', arguments: '{"path":"a"}' } },
      { id: 'b', type: 'custom', custom: { name: 'patch', input: '***' } },
    ],
    reasoning_content: 'thinking',
  },
  { role: 'tool', tool_call_id: 'a', content: 'contents' },
  { role: 'tool', tool_call_id: 'b', content: 'patched' },
  { role: 'assistant', content: 'done' },
  { role: 'user', content: 'and now?' },
];
const draft = (): Draft => new Draft(Transcript.of(history, counter));

describe('applying a plan', () => {
  it('rewrites, replaces and inserts, and returns the provenance of every message', () => {
    const edits: readonly Edit[] = [
      { kind: 'rewrite', at: 0, set: { content: 'brief' }, reasons },
      {
        kind: 'replace',
        groups: [1, 3],
        with: [handoff('notes', 1)],
        reasons: [{ code: 'summarize' }],
      },
      { kind: 'replace', groups: [5, 5], with: [handoff('more notes')], reasons: [{ code: 'add' }] },
    ];
    const { messages, provenance } = apply(history, edits);
    expect(messages.map(({ role, content }) => [role, content])).toEqual([
      ['system', 'brief'],
      ['user', `${writeHandoff('notes')}\n\nread it`],
      ['assistant', 'done'],
      ['user', 'and now?'],
      ['user', writeHandoff('more notes')],
    ]);
    expect(messages[2]).toBe(history[5]);
    expect(provenance.source.map(({ kind }) => kind)).toEqual([
      'rewritten',
      'carried',
      'summarized',
      'summarized',
      'summarized',
      'kept',
      'kept',
    ]);
    expect(provenance.output.map((origin) => (origin.kind === 'inserted' ? origin.covers : origin.from))).toEqual([
      0,
      { from: 1, to: 5 },
      5,
      6,
      { from: 7, to: 7 },
    ]);
  });

  const inserting = (inserted: unknown): unknown => ({ kind: 'replace', groups: [1, 3], with: [inserted], reasons });
  const refused: Readonly<Record<string, readonly [CoreErrorCode, readonly unknown[], message?: string]>> = {
    'a message that does not exist': ['PLAN_INVALID', [{ kind: 'rewrite', at: 7, set: { content: 'x' }, reasons }]],
    'a position that is not an index': ['PLAN_INVALID', [{ kind: 'rewrite', at: 0.5, set: {}, reasons }]],
    'a rewrite without fields': ['PLAN_INVALID', [{ kind: 'rewrite', at: 0, reasons }]],
    'a field that a rewrite cannot set': ['PLAN_INVALID', [{ kind: 'rewrite', at: 0, set: { role: 'user' }, reasons }]],
    'an invalid content': ['PLAN_INVALID', [{ kind: 'rewrite', at: 3, set: { content: 7 }, reasons }]],
    'an emptied user message': ['PLAN_INVALID', [{ kind: 'rewrite', at: 1, set: { content: ' ' }, reasons }]],
    'a result without content': ['PLAN_INVALID', [{ kind: 'rewrite', at: 3, set: { content: null }, reasons }]],
    'a result with an undefined content': [
      'PLAN_INVALID',
      [{ kind: 'rewrite', at: 3, set: { content: undefined }, reasons }],
    ],
    'an emptied answer': ['PLAN_INVALID', [{ kind: 'rewrite', at: 5, set: { content: null }, reasons }]],
    'new reasoning': ['PLAN_INVALID', [{ kind: 'rewrite', at: 2, set: { reasoning_content: 'x' }, reasons }]],
    'a missing call': [
      'PLAN_INVALID',
      [{ kind: 'rewrite', at: 2, set: { tool_calls: history[2]!.tool_calls!.slice(1) }, reasons }],
    ],
    'calls where there were none': ['PLAN_INVALID', [{ kind: 'rewrite', at: 5, set: { tool_calls: [] }, reasons }]],
    'a changed call id': [
      'PLAN_INVALID',
      [
        {
          kind: 'rewrite',
          at: 2,
          set: { tool_calls: [{ ...history[2]!.tool_calls![0]!, id: 'c' }, history[2]!.tool_calls![1]!] },
          reasons,
        },
      ],
    ],
    'arguments that are no longer JSON': [
      'PLAN_INVALID',
      [
        {
          kind: 'rewrite',
          at: 2,
          set: {
            tool_calls: [
              { id: 'a', type: 'function', function: { name: 'read', arguments: '{"pa' } },
              history[2]!.tool_calls![1]!,
            ],
          },
          reasons,
        },
      ],
    ],
    'a range past the end': ['PLAN_INVALID', [{ kind: 'replace', groups: [3, 6], with: [], reasons }]],
    'a reversed range': ['PLAN_INVALID', [{ kind: 'replace', groups: [3, 2], with: [], reasons }]],
    'an insertion of nothing': ['PLAN_INVALID', [{ kind: 'replace', groups: [3, 3], with: [], reasons }]],
    'an inserted message, as in earlier versions of the contract': [
      'PLAN_INVALID',
      [{ kind: 'replace', groups: [3, 3], with: [{ role: 'user', content: writeHandoff('x') }], reasons }],
      'inserted message 0 is a message; a plan inserts { handoff, carry }',
    ],
    'an inserted null': ['PLAN_INVALID', [inserting(null)], 'is not an object'],
    'an insertion without a handoff': ['PLAN_INVALID', [inserting({ carry: [1] })], 'has no "handoff" text'],
    'a text that is not a handoff': ['PLAN_INVALID', [inserting({ handoff: 'notes', carry: [1] })], 'writeHandoff()'],
    'text after a handoff': [
      'PLAN_INVALID',
      [inserting({ handoff: `${writeHandoff('notes')}\n\nread it all`, carry: [] })],
      'has text after its end mark',
    ],
    'a handoff without a body': ['PLAN_INVALID', [inserting(handoff(' '))], 'has a blank body'],
    'an insertion without "carry"': [
      'PLAN_INVALID',
      [inserting({ handoff: writeHandoff('notes') })],
      'has no array "carry"',
    ],
    'a field that an insertion does not have': [
      'PLAN_INVALID',
      [inserting({ ...handoff('notes'), tool_calls: [] })],
      'a field besides',
    ],
    'a carried message that does not exist': [
      'PLAN_INVALID',
      [inserting(handoff('notes', 9))],
      'carries message 9 of 7',
    ],
    'a carried position that is not an index': [
      'PLAN_INVALID',
      [inserting(handoff('notes', 0.5))],
      'carries message 0.5',
    ],
    'a carried system message': ['PLAN_INVALID', [inserting(handoff('notes', 0))], 'whose role is "system"'],
    'a carried tool result': ['PLAN_INVALID', [inserting(handoff('notes', 3))], 'whose role is "tool"'],
    'a carried answer': ['PLAN_INVALID', [inserting(handoff('notes', 2))], 'whose role is "assistant"'],
    'a quoted answer': [
      'PLAN_INVALID',
      [inserting({ ...handoff('notes'), quote: [2] })],
      'quotes message 2, whose role is "assistant"',
    ],
    'more omitted characters than there are': [
      'PLAN_INVALID',
      [inserting(handoff('notes', { at: 1, skip: 8 }))],
      'without 8 of the 7 characters',
    ],
    'an invalid carried content': [
      'PLAN_INVALID',
      [inserting(handoff('notes', { at: 1, content: null }))],
      'neither text nor parts',
    ],
    'a field that a carried message does not have': [
      'PLAN_INVALID',
      [inserting(handoff('notes', { at: 1, name: 'ada' } as never))],
      'a field besides',
    ],
    'a carried text': ['PLAN_INVALID', [inserting({ ...handoff('notes'), carry: ['1'] })], 'is not a message index'],
    'an edit of an unknown kind': ['PLAN_INVALID', [{ kind: 'swap' }]],
    'a value that is not an edit': ['PLAN_INVALID', [null]],
    'two rewrites of one message': [
      'PLAN_CONFLICT',
      [
        { kind: 'rewrite', at: 1, set: { content: 'x' }, reasons },
        { kind: 'rewrite', at: 1, set: { content: 'y' }, reasons },
      ],
    ],
    'a rewrite inside a replaced range': [
      'PLAN_CONFLICT',
      [
        { kind: 'rewrite', at: 3, set: { content: 'x' }, reasons },
        { kind: 'replace', groups: [1, 3], with: [], reasons },
      ],
    ],
    'ranges that overlap': [
      'PLAN_CONFLICT',
      [
        { kind: 'replace', groups: [1, 4], with: [], reasons },
        { kind: 'replace', groups: [3, 5], with: [], reasons },
      ],
    ],
    'an insertion into a range': [
      'PLAN_CONFLICT',
      [
        { kind: 'replace', groups: [1, 4], with: [], reasons },
        { kind: 'replace', groups: [2, 2], with: [handoff('x')], reasons },
      ],
    ],
    'two insertions into one gap': [
      'PLAN_CONFLICT',
      [
        { kind: 'replace', groups: [2, 2], with: [handoff('x')], reasons },
        { kind: 'replace', groups: [2, 2], with: [handoff('y')], reasons },
      ],
    ],
  };
  for (const [what, [code, edits, message]] of Object.entries(refused))
    it(`rejects ${what}`, () => {
      let error: unknown;
      try {
        apply(history, edits as Edit[]);
      } catch (thrown) {
        error = thrown;
      }
      expect(PalimpsestError.is(error) && error.code).toBe(code);
      expect((error as Error).message).toContain(message ?? '');
      expect((error as Error).message).not.toContain('read it');
    });

  it('reports a message as kept if it is also carried, because it is still there', () => {
    const edit: Edit = { kind: 'replace', groups: [2, 3], with: [handoff('notes', 1)], reasons };
    const { messages, provenance } = apply(history, [edit]);
    expect(provenance.source[1]).toEqual({ kind: 'kept', at: 1 });
    expect(messages[2]!.content).toBe(`${writeHandoff('notes')}\n\nread it`);
  });

  it('accepts an insertion at either edge of a replaced range', () => {
    const at = (group: number): Edit => ({
      kind: 'replace',
      groups: [group, group],
      with: [handoff(`at ${group}`)],
      reasons,
    });
    const { messages } = apply(history, [{ kind: 'replace', groups: [1, 4], with: [], reasons }, at(4), at(1)]);
    expect(messages.map(({ content }) => content)).toEqual([
      'be brief',
      writeHandoff('at 1'),
      writeHandoff('at 4'),
      'and now?',
    ]);
  });
});

describe('composing two plans', () => {
  const stub: Edit = { kind: 'rewrite', at: 3, set: { content: 'stub' }, reasons: [{ code: 'stub' }] };

  it('merges two rewrites of one message, the later field by field', () => {
    const later: Edit = { kind: 'rewrite', at: 3, set: { content: 'shorter' }, reasons: [{ code: 'pressure' }] };
    expect(compose(history, [stub], [later])).toEqual([
      { kind: 'rewrite', at: 3, set: { content: 'shorter' }, reasons: [{ code: 'stub' }, { code: 'pressure' }] },
    ]);
  });

  it('drops rewrites and insertions inside a replaced range', () => {
    const first: Edit[] = [
      stub,
      { kind: 'replace', groups: [4, 4], with: [handoff('note')], reasons: [{ code: 'add' }] },
    ];
    // The output of the first plan: system, user, exchange, answer, note, user.
    const second: Edit[] = [
      { kind: 'replace', groups: [1, 5], with: [handoff('all')], reasons: [{ code: 'summarize' }] },
    ];
    expect(compose(history, first, second)).toEqual([
      { kind: 'replace', groups: [1, 4], with: [handoff('all')], reasons: [{ code: 'summarize' }] },
    ]);
  });

  it('returns the other plan if one is empty', () => {
    expect(compose(history, [stub], [])).toEqual([stub]);
    expect(compose(history, [], [stub])).toEqual([stub]);
  });

  it('keeps what an inserted message carried when that message is itself carried', () => {
    const first: Edit[] = [
      {
        kind: 'replace',
        groups: [1, 3],
        with: [handoff('notes', 1)],
        reasons: [{ code: 'summarize' }],
      },
    ];
    const second: Edit[] = [
      {
        kind: 'replace',
        groups: [1, 3],
        with: [handoff('more notes', 1)],
        reasons: [{ code: 'summarize' }],
      },
    ];
    const { provenance } = apply(history, compose(history, first, second));
    expect(provenance.source[1]).toMatchObject({ kind: 'carried', at: 1 });
    expect(provenance.source[2]).toMatchObject({ kind: 'summarized' });
  });
});

describe('a draft', () => {
  it('counts reasoning as the transcript does', () => {
    const recent = [...history.slice(0, 6)];
    const transcript = Transcript.of(recent, counter);
    const one = new Draft(transcript);
    expect(one.rewrite(2, { content: 'thinking aloud' }, { code: 'x' })).toBe(-14);
    expect(one.currentTokens(2)).toBe(24);
    expect(one.rewrite(2, { reasoning_content: null }, { code: 'x' })).toBe(10);
    expect(one.tokens).toBe(transcript.totalTokens + 14 - 10);
  });

  it('rejects a second replace of a group, a rewrite of a replaced message, and a second insertion into a gap', () => {
    const one = draft();
    one.replace([1, 3], [], { code: 'drop' });
    one.replace([4, 4], [handoff('x')], { code: 'add' });
    for (const conflict of [
      () => one.replace([2, 4], [], { code: 'drop' }),
      () => one.replace([2, 2], [handoff('x')], { code: 'add' }),
      () => one.replace([4, 4], [handoff('y')], { code: 'add' }),
      () => one.rewrite(3, { content: 'x' }, { code: 'stub' }),
    ])
      expect(conflict).toThrow(expect.objectContaining({ code: 'PLAN_CONFLICT' }));
    expect(apply(history, one.edits()).messages.map(({ content }) => content)).toEqual([
      'be brief',
      'done',
      writeHandoff('x'),
      'and now?',
    ]);
  });

  it('returns its edits in transcript order, whatever order they were made in', () => {
    const one = draft();
    one.rewrite(4, { content: 'x' }, { code: 'stub' });
    one.rewrite(3, { content: 'x' }, { code: 'stub' });
    one.replace([4, 5], [handoff('x')], { code: 'summarize' });
    one.replace([2, 2], [handoff('x')], { code: 'add' });
    one.rewrite(2, { reasoning_content: null }, { code: 'stub' });
    expect(one.edits().map((edit) => (edit.kind === 'rewrite' ? edit.at : edit.groups))).toEqual([
      [2, 2],
      2,
      3,
      4,
      [4, 5],
    ]);
  });
});

describe('composing a rewrite of an inserted message', () => {
  const picture = { type: 'image_url', image_url: { url: 'https://example.org/a.png' } } as Part;
  const text = (words: string): Part => ({ type: 'text', text: words }) as Part;
  const removed = text('[image removed]');
  const pictures: readonly Message[] = [
    { role: 'user', content: [picture, text('one')] },
    { role: 'user', content: [text('two'), picture, picture] },
    { role: 'assistant', content: 'done' },
  ];
  const first: Edit[] = [
    {
      kind: 'replace',
      groups: [0, 2],
      with: [{ ...handoff('notes', 1), quote: [0] }],
      reasons: [{ code: 'summarize' }],
    },
  ];
  const inserted = apply(pictures, first).messages[0]!.content as Part[];
  const rewrite = (content: Message['content']): Edit[] => [{ kind: 'rewrite', at: 0, set: { content }, reasons }];

  it('rewrites the messages it carries, whose pictures can be replaced', () => {
    expect(inserted.map((part) => part.type)).toEqual(['text', 'image_url', 'text', 'text', 'image_url', 'image_url']);
    const second = rewrite(inserted.map((part, at) => (at === 1 || at === 5 ? removed : part)));
    const both = compose(pictures, first, second);
    expect(both).toMatchObject([
      {
        with: [
          {
            quote: [{ at: 0, content: [removed, text('one')] }],
            carry: [{ at: 1, content: [text('two'), picture, removed] }],
          },
        ],
      },
    ]);
    expect(apply(pictures, both).messages).toEqual(apply(apply(pictures, first).messages, second).messages);
  });

  it('is a conflict if it changes text, because the plan contains no text', () => {
    for (const content of [
      'stub',
      inserted.slice(1),
      inserted.with(0, text(writeHandoff('other notes'))),
      inserted.with(3, text('three')),
      inserted.with(1, text('a picture')),
    ])
      expect(() => compose(pictures, first, rewrite(content as Part[]))).toThrow(
        expect.objectContaining({
          code: 'PLAN_CONFLICT',
          message: expect.stringContaining('which the first plan inserted'),
        }),
      );
  });
});
