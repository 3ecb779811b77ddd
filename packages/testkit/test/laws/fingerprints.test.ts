import { fingerprint } from '@palimpsest/core/authoring';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arbitraryTranscript, assistant, call, legacyCall, user } from '../../src/index.ts';
import { numRuns } from './runs.ts';

describe('a fingerprint', () => {
  it('is equal for equal JSON in different objects', () => {
    fc.assert(
      fc.property(arbitraryTranscript(), fc.nat(), (messages, cut) => {
        const length = messages.length === 0 ? 0 : cut % (messages.length + 1);
        const parsed = JSON.parse(JSON.stringify(messages));
        expect(fingerprint(parsed)).toBe(fingerprint(messages));
        expect(fingerprint(messages, length)).toBe(fingerprint(messages.slice(0, length)));
        expect(fingerprint(parsed, length)).toBe(fingerprint(messages, length));
      }),
      { numRuns },
    );
  });

  it('changes if a message is added, removed, moved or changed', () => {
    fc.assert(
      fc.property(arbitraryTranscript({ maxLength: 40 }), fc.nat(), (messages, pick) => {
        const whole = fingerprint(messages);
        expect(fingerprint([...messages, user('one more')])).not.toBe(whole);
        fc.pre(messages.length > 0);
        const at = pick % messages.length;
        expect(fingerprint(messages.toSpliced(at, 1))).not.toBe(whole);
        expect(fingerprint(messages.with(at, { ...messages[at]!, content: 'changed to this' }))).not.toBe(whole);
        if (at > 0 && JSON.stringify(messages[at]) !== JSON.stringify(messages[at - 1]))
          expect(fingerprint(messages.with(at, messages[at - 1]!).with(at - 1, messages[at]!))).not.toBe(whole);
      }),
      { numRuns },
    );
  });

  it('changes with the calls, including legacy ones', () => {
    expect(fingerprint([assistant(null, call('a', 'f', { x: 1 }))])).not.toBe(
      fingerprint([assistant(null, call('a', 'f', { x: 2 }))]),
    );
    expect(fingerprint([legacyCall('f', { x: 1 })])).not.toBe(fingerprint([legacyCall('f', { x: 2 })]));
  });
});
