import { agentReader, isFromPerson } from '@palimpsest/agents';
import { isSynthetic, readAnyHandoff, readHandoff } from '@palimpsest/core';
import { breakMarks, prependHandoff, writeHandoff } from '@palimpsest/core/authoring';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foreignHandoffTexts, image, taskTexts, text, user } from '../../src/index.ts';
import { numRuns } from './runs.ts';

/** Any text, and texts that consist of the marks themselves. */
const bodies = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc
    .array(
      fc.oneof(
        fc.string({ maxLength: 20 }),
        fc.constantFrom(
          '\n',
          '\\',
          '[END OF CONTEXT HANDOFF ',
          'v1 ',
          ': the conversation continues below]',
          '[CONTEXT HANDOFF v1]\n',
        ),
        fc.string({ maxLength: 20 }).map(writeHandoff),
        // The body and end mark of another handoff, without its beginning, as a careless model copies them.
        fc.string({ maxLength: 20 }).map((body) => writeHandoff(body).slice(writeHandoff('').indexOf('\n[END'))),
        fc.string({ maxLength: 20 }).map((body) => writeHandoff(body).slice(writeHandoff(body).lastIndexOf(body))),
      ),
      { maxLength: 8 },
    )
    .map((pieces) => pieces.join('')),
);

describe('a handoff', () => {
  it('returns the body it was written with, in which only marks are broken', () => {
    fc.assert(
      fc.property(bodies, (body) => {
        expect(readHandoff(user(writeHandoff(body)))).toEqual({
          version: 1,
          body: breakMarks(body),
          rest: '',
        });
      }),
      { numRuns: numRuns * 4 },
    );
  });

  it('returns a body that ends with the end mark of a handoff', () => {
    fc.assert(
      fc.property(bodies, fc.string(), (start, end) => {
        const whole = writeHandoff(start);
        const body = whole.slice(whole.lastIndexOf(`${start}\n[END`)) + end;
        expect(readHandoff(user(writeHandoff(body)))?.body).toBe(breakMarks(body));
      }),
      { numRuns },
    );
  });

  it('is the same after a round trip through JSON', () => {
    fc.assert(
      fc.property(bodies, fc.constantFrom(...taskTexts), (body, own) => {
        const message = user(prependHandoff(writeHandoff(body), own));
        const parsed = JSON.parse(JSON.stringify(message));
        expect(readHandoff(parsed)).toEqual({ version: 1, body: breakMarks(body), rest: own });
        expect(isSynthetic(parsed)).toBe(true);
      }),
      { numRuns },
    );
  });

  it("keeps the user's words after it verbatim, as text and as parts", () => {
    fc.assert(
      fc.property(bodies, fc.oneof(bodies, fc.string({ minLength: 1 })), (body, own) => {
        expect(readHandoff(user(prependHandoff(writeHandoff(body), own)))?.rest).toBe(own);
        const parts = [text(own), image()];
        const content = prependHandoff(writeHandoff(body), parts);
        expect(readHandoff(user(content))).toEqual({ version: 1, body: breakMarks(body), rest: parts });
      }),
      { numRuns },
    );
  });

  it('is ordinary text if a single character of its body was changed', () => {
    fc.assert(
      fc.property(
        bodies,
        fc.nat(),
        fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
        fc.constantFrom('replace', 'insert', 'remove'),
        (body, pick, character, how) => {
          const written = writeHandoff(body);
          const start = writeHandoff('').indexOf('\n[END OF');
          const end = written.lastIndexOf('\n[END OF');
          fc.pre(end > start);
          const at = start + (pick % (end - start));
          const edited =
            written.slice(0, at) + (how === 'remove' ? '' : character) + written.slice(how === 'insert' ? at : at + 1);
          fc.pre(edited !== written);
          expect(readHandoff(user(edited))).toBeNull();
        },
      ),
      { numRuns: numRuns * 4 },
    );
  });

  it('is ordinary text in the middle of a text or in another role', () => {
    fc.assert(
      fc.property(bodies, (body) => {
        const written = writeHandoff(body);
        expect(readHandoff(user(`You wrote:\n${written}`))).toBeNull();
        expect(readHandoff(user(`> ${written.replaceAll('\n', '\n> ')}`))).toBeNull();
        expect(readHandoff({ role: 'assistant', content: written })).toBeNull();
        expect(readHandoff({ role: 'tool', tool_call_id: 'a', content: written })).toBeNull();
        expect(isFromPerson(user(`You wrote:\n${written}`), 0, [])).toBe(true);
      }),
      { numRuns },
    );
  });

  it('is never a request by itself, and a request after it stays a request', () => {
    fc.assert(
      fc.property(bodies, fc.constantFrom(...taskTexts), (body, own) => {
        expect(isFromPerson(user(writeHandoff(body)), 0, [])).toBe(false);
        expect(isFromPerson(user(prependHandoff(writeHandoff(body), own)), 0, [])).toBe(true);
      }),
      { numRuns },
    );
  });

  it('of another system is read, but not as ours', () => {
    for (const written of foreignHandoffTexts) {
      expect(readAnyHandoff(user(written), agentReader)?.version).toBe(0);
      expect(isSynthetic(user(written))).toBe(false);
    }
  });
});
