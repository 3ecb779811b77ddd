import { apply, type Edit } from '@palimpsest/core';
import { groupMessages } from '@palimpsest/core/authoring';
import { arbitraryTranscript } from '@palimpsest/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AnthropicConversation, type AnthropicMessage, anthropic, compactNative } from '../src/index.ts';
import { textBlock } from './blocks.ts';
import { enginesFor } from './engines.ts';
import { rulesOf } from './every-codec.ts';

type Native = AnthropicConversation;
const user = (content: string): AnthropicMessage => ({ role: 'user', content });
const assistant = (content: string): AnthropicMessage => ({ role: 'assistant', content });
const system = (content: string): AnthropicMessage => ({ role: 'system', content });

describe('system messages in the conversation', () => {
  const rows: readonly (readonly [string, readonly AnthropicMessage[], readonly string[]])[] = [
    ['first', [system('S'), assistant('A')], ['system-first']],
    ['first, before a user message', [system('S'), user('U')], ['system-first', 'system-not-before-assistant']],
    ['after an assistant message', [user('U'), assistant('A'), system('S')], ['system-not-after-user']],
    ['before a user message', [user('U'), system('S'), user('U')], ['system-not-before-assistant']],
    [
      'two in a row',
      [user('U'), system('S'), system('S'), assistant('A')],
      ['system-not-after-user', 'system-not-before-assistant'],
    ],
    ['after a user message, before an assistant message', [user('U'), system('S'), assistant('A'), user('U')], []],
    ['after a user message, at the end', [user('U'), system('S')], []],
    [
      'after tool results',
      [
        user('U'),
        { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'look', input: {} } as never] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'seen' } as never] },
        system('S'),
        assistant('A'),
      ],
      [],
    ],
  ];
  it.each(rows)('are validated like the API does: %s', (_, messages, rules) => {
    const found = rulesOf(anthropic.validate({ messages })).filter((rule) => rule.startsWith('system'));
    expect(found).toEqual([...rules]);
  });

  it('move to the next legal place if the message before them was removed', () => {
    const native: Native = {
      system: 'Prompt.',
      messages: [user('one'), system('S1'), assistant('two'), user('three'), system('S2'), assistant('four')],
    };
    // Removes the group of the first user message, which precedes the system message.
    expect(edited(native, 1)).toEqual({
      system: 'Prompt.',
      messages: [
        assistant('two'),
        user('three'),
        { role: 'system', content: [textBlock('S1'), textBlock('S2')] },
        assistant('four'),
      ],
    });
  });

  it('are appended to the system prompt if no user turn is left before them', () => {
    const native: Native = { messages: [user('one'), system('S1'), assistant('two')] };
    expect(edited(native, 0)).toEqual({ system: 'S1', messages: [assistant('two')] });
    expect(edited({ ...native, system: 'Prompt.' }, 1).system).toEqual([textBlock('Prompt.'), textBlock('S1')]);
  });
});

/** Removes the group of one core message. */
function edited(native: Native, at: number): Native {
  const decoded = anthropic.decode(native);
  const group = groupMessages(decoded.messages).findIndex(({ from, to }) => from <= at && at < to);
  const edit: Edit = { kind: 'replace', groups: [group, group + 1], with: [], reasons: [{ code: 'drop' }] };
  return anthropic.encode(decoded, apply(decoded.messages, [edit]));
}

/** Conversations as Claude Code 2.1 sends them, with notes of the harness as system messages after user turns. */
const withNotes = fc
  .tuple(arbitraryTranscript({ maxLength: 80, broken: false }), fc.infiniteStream(fc.boolean()))
  .map(([messages, coins]): Native => {
    const native = anthropic.fromMessages(messages);
    const noted = native.messages.flatMap((message, at) => {
      const next = native.messages[at + 1];
      const isPlace = message.role === 'user' && (!next || next.role === 'assistant');
      return isPlace && coins.next().value ? [message, system(`Note ${at}.`)] : [message];
    });
    return { ...native, messages: noted };
  })
  .filter((native) => anthropic.validate(native).length === 0);

describe('notes of a harness', () => {
  it('stay legal and complete, whatever an edit drops', () => {
    fc.assert(
      fc.property(withNotes, fc.infiniteStream(fc.boolean()), (native, coins) => {
        const decoded = anthropic.decode(native);
        const edits = groupMessages(decoded.messages).flatMap((_, at): Edit[] =>
          coins.next().value ? [{ kind: 'replace', groups: [at, at + 1], with: [], reasons: [{ code: 'drop' }] }] : [],
        );
        const output = anthropic.encode(decoded, apply(decoded.messages, edits));
        const rules = rulesOf(anthropic.validate(output));
        expect(rules.filter((rule) => rule.startsWith('system'))).toEqual([]);
        const notes = (given: Native): string[] => JSON.stringify(given).match(/Note \d+\./g) ?? [];
        expect(notes(output)).toEqual(expect.arrayContaining(notes(native)));
      }),
      { numRuns: process.env.PALIMPSEST_DEEP ? 2_000 : 100 },
    );
  });

  it('stay legal with both engines', async () => {
    await fc.assert(
      fc.asyncProperty(withNotes, async (native) => {
        // Pending calls at the end must be answered first.
        fc.pre(!JSON.stringify(native.messages.at(-1) ?? '').includes('"tool_use"'));
        for (const engine of await enginesFor('anthropic', 3_000)) {
          let current = native;
          for (let pass = 0; pass < 2; pass++) {
            ({ native: current } = await compactNative(engine, anthropic, current, { force: true }));
            expect(rulesOf(anthropic.validate(current)), engine.name).toEqual([]);
            current = { ...current, messages: [...current.messages, ...more(current)] };
          }
        }
      }),
      { numRuns: process.env.PALIMPSEST_DEEP ? 500 : 30 },
    );
  });
});

function more({ messages }: Native): readonly AnthropicMessage[] {
  const turns = [user('Go on.'), system('Note 1000.'), assistant('I go on.')];
  return messages.at(-1)?.role === 'assistant' ? turns : [assistant('I begin.'), ...turns];
}
