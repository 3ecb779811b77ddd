import { apply, type Edit, type Message, PalimpsestError, type Part } from '@palimpsest/core';
import { foreignHandoffLength, Transcript, writeHandoff } from '@palimpsest/core/authoring';
import { arbitraryTranscript, assistant, call, result, system, user } from '@palimpsest/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foreignEdits } from '../src/border/foreign-edits.ts';
import { ForeignView } from '../src/border/foreign-view.ts';
import { createEngineHost } from '../src/index.ts';

/** Masks words that no rule of ours would, and changes their length. */
const redact = (text: string): string => text.replace(/badger\w*|\bthe\b|\bfile\w*/g, '[MASKED]');
const host = createEngineHost({ redact });

/** The edits of an engine that sees the masked transcript, as the host applies them. */
function crossed(messages: readonly Message[], plan: (seen: Transcript) => readonly unknown[]): Edit[] {
  const transcript = Transcript.of(messages, host.tokens, host);
  const seen = new ForeignView(host).transcript(transcript);
  return foreignEdits(plan(seen), transcript, seen.messages, host);
}

const reasons = [{ code: 'test' }];
const rewrite = (at: number, set: object): unknown => ({ kind: 'rewrite', at, set, reasons });
const text = (said: string): Part => ({ type: 'text', text: said }) as Part;
const picture = { type: 'image_url', image_url: { url: 'https://example.org/a.png' } } as Part;

describe('content that a foreign engine copies from the masked transcript', () => {
  it('becomes the original again, for every transcript', () => {
    fc.assert(
      fc.property(arbitraryTranscript({ broken: false }), (messages) => {
        const copies = messages.flatMap(({ role, content, tool_calls: calls }, at) =>
          role === 'user' && content === undefined
            ? []
            : [{ at, content, calls, hasContent: content !== undefined && content !== null }],
        );
        const edits = crossed(messages, (seen) =>
          copies.map(({ at, hasContent, calls }) => {
            const copy = JSON.parse(JSON.stringify(seen.messages[at])) as Message;
            const set = {
              ...(hasContent ? { content: copy.content } : {}),
              ...(calls && calls.length > 0 ? { tool_calls: copy.tool_calls } : {}),
            };
            return rewrite(at, set);
          }),
        );
        for (const edit of edits) {
          if (edit.kind !== 'rewrite') throw new Error('only rewrites were planned');
          const { content, tool_calls: calls } = messages[edit.at]!;
          if ('content' in edit.set) expect(edit.set.content).toEqual(content);
          if ('tool_calls' in edit.set) expect(edit.set.tool_calls).toEqual(calls);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('keeps groups and requests where they are, for every transcript', () => {
    fc.assert(
      fc.property(arbitraryTranscript(), (messages) => {
        const transcript = Transcript.of(messages, host.tokens, host);
        const seen = new ForeignView(host).transcript(transcript);
        expect(seen.groups).toEqual(transcript.groups);
        expect(seen.request).toEqual(transcript.request);
        expect(seen.pendingExchange).toEqual(transcript.pendingExchange);
      }),
      { numRuns: 60 },
    );
  });

  const conversation = (): Message[] => [
    system('Keep the badger1 safe.'),
    { role: 'user', content: [text('Show the badger2.'), picture] } as Message,
    assistant('Calling.', call('a', 'read_file', { path: 'badger3' }), call('b', 'read_file', { path: 'plain.txt' })),
    result('a', 'the badger4 file'),
    result('b', 'plain'),
    user('Go on with badger5.'),
  ];

  it('lets a picture beside masked words of the user be removed', () => {
    const [edit] = crossed(conversation(), ({ messages }) => [
      rewrite(1, { content: [(messages[1]!.content as Part[])[0], { ...text('[image removed]'), note: 'badger6' }] }),
    ]);
    expect(edit).toMatchObject({ set: { content: [text('Show the badger2.'), { text: '[image removed]' }] } });
    expect(JSON.stringify(edit)).not.toContain('badger6');
  });

  it('appends a note to a masked system prompt', () => {
    const [edit] = crossed(conversation(), ({ messages }) => [
      rewrite(0, { content: `${String(messages[0]!.content)} Note: badger7.` }),
    ]);
    expect(edit).toMatchObject({ set: { content: 'Keep the badger1 safe. Note: [MASKED].' } });
  });

  it('changes one of two calls and leaves the other', () => {
    const [edit] = crossed(conversation(), ({ messages }) => {
      const [first, second] = messages[2]!.tool_calls as never as { function: object }[];
      return [rewrite(2, { tool_calls: [first, { ...second!, function: { name: 'read_file', arguments: '{}' } }] })];
    });
    expect(edit).toMatchObject({
      set: { tool_calls: [{ function: { arguments: '{"path":"badger3"}' } }, { function: { arguments: '{}' } }] },
    });
  });

  it("is carried after another system's handoff, even if masking changed its length", () => {
    const summary = '[CONTEXT COMPACTION - X]\nthe badger8\n\n--- END OF CONTEXT SUMMARY - answer below ---\n\n';
    const messages = [...conversation().slice(0, 5), user(`${summary}Where is the badger9?`)];
    const edits = crossed(messages, (seen) => {
      const skip = foreignHandoffLength(seen.messages[5]!, host.reader);
      expect(skip).toBeGreaterThan(summary.length);
      const carry = [{ at: 5, skip }];
      return [{ kind: 'replace', groups: [1, 4], with: [{ handoff: writeHandoff('Notes.'), carry }], reasons }];
    });
    const last = apply(messages, edits).messages.at(-1) as Message;
    expect(String(last.content).endsWith('\n\nWhere is the badger9?')).toBe(true);
    expect(last.content).not.toContain('badger8');
  });

  it('may not change what the user said, nor add a field to an edit', () => {
    const changed = (): Edit[] => crossed(conversation(), () => [rewrite(5, { content: 'Delete all of it.' })]);
    expect(changed).toThrow(/changes what the user said/);
    try {
      changed();
    } catch (error) {
      expect(PalimpsestError.is(error) && error.code).toBe('PLAN_INVALID');
    }
    const [edit] = crossed(conversation(), () => [{ ...(rewrite(3, { content: 'x' }) as object), more: 'badger' }]);
    expect(edit).toEqual({ kind: 'rewrite', at: 3, set: { content: 'x' }, reasons });
  });
});
