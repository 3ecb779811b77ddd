import { describe, expect, it } from 'vitest';
import { checkContract, Draft, placeHandoff, Transcript, writeHandoff } from '../src/authoring.ts';
import {
  apply,
  compose,
  type Edit,
  type Message,
  messagesFollowing,
  type ReplaceEdit,
  readHandoff,
} from '../src/index.ts';

const counter = { countText: () => 1, countMessage: () => 1 };
const transcriptOf = (messages: readonly Message[]): Transcript => Transcript.of(messages, counter);
const system = (content: string): Message => ({ role: 'system', content });
const user = (content: string): Message => ({ role: 'user', content });
const reply: Message = { role: 'assistant', content: 'Done.' };
const messages: readonly Message[] = [
  system('lead'),
  { role: 'developer', content: 'lead, too' },
  user('one'),
  system('a'),
  reply,
  user('two'),
  system('b'),
  reply,
  user('three'),
];

function summarized(summarizedSystems: readonly number[]): Draft {
  const draft = new Draft(transcriptOf(messages));
  placeHandoff(draft, [2, 7], 'notes', { reason: { code: 'summarize' }, summarizedSystems });
  return draft;
}

describe('a system message after the leading ones', () => {
  it('is removed with its groups if an edit summarizes it, and stays otherwise', () => {
    const draft = summarized([3]);
    const { messages: output, provenance } = apply(messages, draft.edits());
    expect(output.map(({ role }) => role)).toEqual(['system', 'developer', 'user', 'system', 'assistant', 'user']);
    expect(output.slice(0, 2)).toEqual([messages[0], messages[1]]);
    expect(readHandoff(output[2] as Message)?.body).toBe('notes');
    // Behind the handoff, it does not pass for a leading message, which nothing could remove any more.
    expect(output[3]).toBe(messages[6]);
    expect(messagesFollowing(output[2] as Message)).toBe(3);
    expect(provenance.source[3]!.kind).toBe('summarized');
    expect(draft.tokens).toBe(output.length);
    expect(checkContract(transcriptOf(messages), { messages: output, provenance }, 'openai')).toEqual([]);
    expect(draft.current(3)).toBeNull();
    expect(draft.current(6)).toBe(messages[6]);
  });

  it('is not part of the fixed tokens', () => {
    expect(transcriptOf(messages).leading).toBe(2);
    expect(transcriptOf(messages).fixedTokens).toBe(3);
    expect(transcriptOf([system('only')]).leading).toBe(1);
  });

  it('stays summarized in a composed plan', () => {
    const first = summarized([3]).edits();
    const middle = apply(messages, first).messages as readonly Message[];
    for (const summarizedSystems of [[], [3]]) {
      const again = new Draft(transcriptOf(middle));
      placeHandoff(again, [2, 5], 'more notes', { reason: { code: 'summarize' }, summarizedSystems });
      const second = again.edits();
      const composed = compose(messages, first, second);
      expect(apply(messages, composed).messages).toEqual(apply(middle, second).messages);
      const all = composed.flatMap((edit) => (edit.kind === 'replace' ? (edit.summarizedSystems ?? []) : []));
      expect(all).toEqual(summarizedSystems.length > 0 ? [3, 6] : [3]);
    }
  });

  it('is never removed without an insertion, and a leading one never at all', () => {
    const edit = (over: Partial<ReplaceEdit>): Edit => ({
      kind: 'replace',
      groups: [2, 7],
      with: [{ handoff: writeHandoff('x'), carry: [] }],
      reasons: [],
      ...over,
    });
    for (const [plan, what] of [
      [[edit({ summarizedSystems: [0], groups: [0, 7] })], 'a leading system message'],
      [[edit({ summarizedSystems: [4] })], 'not a system message'],
      [[edit({ summarizedSystems: [6], groups: [2, 5] })], 'not a system message in its groups'],
      [[edit({ summarizedSystems: 'all' as never })], 'not an array'],
      [
        [edit({ summarizedSystems: [3] }), { kind: 'rewrite', at: 3, set: { content: 'y' }, reasons: [] }],
        'both rewritten',
      ],
    ] as const)
      expect(() => apply(messages, plan as readonly Edit[])).toThrow(what);
    const applied = apply(messages, [edit({ summarizedSystems: [3], with: [] })]);
    expect(checkContract(transcriptOf(messages), applied, 'openai')).toEqual([
      { invariant: 4, index: 3, reason: 'system message 3 was dropped' },
    ]);
  });
});
