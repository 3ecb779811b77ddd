import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { digestHandoff, plainReader, prependHandoff, Transcript, writeHandoff } from '../src/authoring.ts';
import { createHost, isTrustedHandoff, type Message, type Part, readHandoff, type TokenCounter } from '../src/index.ts';

const counter: TokenCounter = {
  countText: (written) => written.length,
  countMessage: (message) => JSON.stringify(message).length,
};
const user = (content: Message['content']): Message => ({ role: 'user', content });
const text = (written: string, more: object = {}): Part => ({ type: 'text', text: written, ...more }) as Part;
const body = '## Constraints & Preferences\n- Never touch the lock file.';
const key = 'a key of the host'.repeat(2);

const trusted = (message: Message, known: Parameters<typeof isTrustedHandoff>[2] = {}, after = 0): boolean => {
  const messages = [message, ...Array.from({ length: after }, () => user('and now?'))];
  return isTrustedHandoff(Transcript.of(messages, counter), 0, known);
};

describe('a handoff, with a key of the host', () => {
  it('is trusted by its signature in any position', () => {
    const signed = writeHandoff(body, 0, key);
    expect(readHandoff(user(signed))).toMatchObject({ version: 1, body, rest: '' });
    for (const content of [signed, prependHandoff(signed, 'go on'), prependHandoff(signed, [text('go on')])])
      expect(trusted(user(content), { handoffKey: key })).toBe(true);
  });

  it('is not trusted without a signature, with that of another key, or with another body or count than was signed', () => {
    const signed = writeHandoff(body, 3, key);
    const other = writeHandoff(body.replace('touch', 'spare'), 3, key);
    const signature = readHandoff(user(signed))!.signature!;
    for (const content of [
      writeHandoff(body, 3),
      writeHandoff(body, 3, `${key}.`),
      other.replace(readHandoff(user(other))!.signature!, signature),
      signed.replace('+3 ', '+0 '),
    ]) {
      expect(readHandoff(user(content))).not.toBeNull();
      expect(trusted(user(content), { handoffKey: key }, 5)).toBe(false);
      expect(trusted(user(content), { handoffKey: key, handoffDigest: digestHandoff(body) }, 5)).toBe(false);
    }
  });

  it('has the same signature only with the same key, for any body', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), fc.string(), (any, one, two) => {
        const signature = readHandoff(user(writeHandoff(any, 1, one)))?.signature;
        expect(signature).toMatch(/^[0-9a-f]{24}$/);
        expect(readHandoff(user(writeHandoff(any, 1, one)))?.signature).toBe(signature);
        if (one !== two) expect(readHandoff(user(writeHandoff(any, 1, two)))?.signature).not.toBe(signature);
      }),
    );
  });
});

describe('a handoff, without a key', () => {
  it('is trusted as the text of a message or at its beginning', () => {
    for (const content of [
      writeHandoff(body),
      prependHandoff(writeHandoff(body, 0), 'go on'),
      writeHandoff(body, 0, key),
      [text(writeHandoff(body))],
      [text(`${writeHandoff(body)}\n\ngo on`, { cache_control: { type: 'ephemeral' } })],
    ])
      expect(trusted(user(content))).toBe(true);
  });

  it('is not trusted next to other parts, or in a part with a title or a file name, unless an engine remembers it', () => {
    for (const content of [
      [text(writeHandoff(body)), text('Please sum this up.')],
      [text(writeHandoff(body)), { type: 'image_url', image_url: { url: 'https://example.org/a.png' } } as Part],
      [text(writeHandoff(body), { title: 'notes.md' })],
      [text(writeHandoff(body), { filename: 'notes.md' })],
    ]) {
      expect(trusted(user(content))).toBe(false);
      expect(trusted(user(content), { handoffDigest: digestHandoff(`${body} `) })).toBe(false);
      expect(trusted(user(content), { handoffDigest: digestHandoff(body) })).toBe(true);
    }
  });

  it('is not trusted inside a tool exchange, or if fewer messages follow than it states', () => {
    const calls: Message = {
      role: 'assistant',
      content: null,
      tool_calls: [
        { id: 'a', type: 'function', function: { name: 'read', arguments: '{}' } },
        { id: 'b', type: 'function', function: { name: 'read', arguments: '{}' } },
      ],
    };
    const result = (id: string): Message => ({ role: 'tool', tool_call_id: id, content: 'ok' });
    const inside = Transcript.of([user('go'), calls, result('a'), user(writeHandoff(body)), result('b')], counter);
    expect(isTrustedHandoff(inside, 3, {})).toBe(false);
    expect(trusted(user(writeHandoff(body, 2)), {}, 1)).toBe(false);
    expect(trusted(user(writeHandoff(body, 2)), {}, 2)).toBe(true);
  });
});

describe('any other text', () => {
  it('is never trusted', () => {
    for (const message of [user('go on'), { role: 'assistant', content: writeHandoff(body) } as Message])
      for (const known of [{}, { handoffKey: key }, { handoffDigest: digestHandoff('## Goal\nFix it.') }])
        expect(trusted(message, known)).toBe(false);
  });
});

describe('a host', () => {
  it('can have a key that changes, even if its parts are copied', () => {
    let current = 'one';
    const host = createHost({
      tokens: counter,
      redact: (any) => any,
      reader: plainReader,
      handoffKey: () => current,
    });
    const copy = { ...host };
    current = 'two';
    const signed = writeHandoff(body, 0, copy.handoffKey);
    expect(trusted(user(signed), { handoffKey: 'two' })).toBe(true);
    expect(trusted(user(signed), host)).toBe(true);
    current = 'three';
    expect(trusted(user(signed), copy)).toBe(false);
  });
});
