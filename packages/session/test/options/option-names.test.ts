import { describe, expect, it } from 'vitest';
import { createSession } from '../../src/create-session.ts';
import { contextFetch } from '../../src/fetch.ts';
import { compressorOn, makeSession } from '../make-session.ts';

const valid = {
  engine: (host: Parameters<typeof compressorOn>[0]) => compressorOn(host, undefined),
  model: { id: 'm', contextLength: 8_000 },
};

/** The message of the error for these options, as a caller in plain JavaScript may pass them. */
function refusal(options: object): string {
  try {
    createSession({ ...valid, ...options } as never);
    return 'accepted';
  } catch (error) {
    return (error as Error).message;
  }
}

describe('an unknown option', () => {
  it.each([
    [{ shapeResult: true }, /shapeResult: unknown option\. Did you mean "shapeResults"\? Known: engine, model, id/],
    [{ hygiene: { message: 10 } }, /hygiene\.message: unknown option\. Did you mean "messages"\? Known: at, messages/],
    [{ hygiene: { idle: { after: 1 } } }, /hygiene\.idle\.after: unknown option\. Did you mean "afterMs"/],
    [{ limits: { attempt: 1 } }, /limits\.attempt: .*"attempts"/],
    [{ limits: { rapid: { compaction: 2 } } }, /limits\.rapid\.compaction: .*"compactions"/],
    [{ hygiene: { share: 0.8 } }, /hygiene\.share: .*Known: at/],
    [{ shapeResults: { file: 1 } }, /shapeResults\.file: .*"files"/],
    [{ recall: { maxToken: 500 } }, /recall\.maxToken: .*"maxTokens"/],
  ])('of createSession is refused: %j', (options, message) => {
    expect(refusal(options)).toMatch(message);
  });

  it('of contextFetch is refused', () => {
    expect(() => contextFetch(makeSession().session, { formats: 'anthropic' } as never)).toThrow(
      /One option of contextFetch is not valid:\n {2}formats: unknown option\. Did you mean "format"/,
    );
    expect(() => contextFetch(makeSession().session, { format: 'claude' } as never)).toThrow(
      /format: expected .openai-chat., /,
    );
    for (const [name, value] of [
      ['recall', 'yes'],
      ['native', () => {}],
    ] as const)
      expect(() => contextFetch(makeSession().session, { [name]: value } as never)).toThrow(`${name}: expected`);
  });

  it('that is undefined is ignored', () => {
    expect(refusal({ shapeResult: undefined, hygiene: undefined, limits: {} })).toBe('accepted');
  });
});

describe('a group of options that is not an object', () => {
  it.each([
    [{ hygiene: false }, /hygiene: expected an object with options; auto: false turns .*; given: false/],
    [{ limits: null }, /limits: expected an object/],
    [{ hygiene: true }, /hygiene: expected an object/],
    [{ summaries: 'small' }, /summaries: expected 'model' or 'rules', or a summarizer/],
    [{ waitUntil: true }, /waitUntil: expected a function/],
  ])('is refused: %j', (options, message) => {
    expect(refusal(options)).toMatch(message);
  });
});

describe('a model that is not valid', () => {
  it.each([
    ['gpt-5', /model: expected \{ id, contextLength \}/],
    [{ id: 'm', contextLength: '32k' }, /model\.contextLength: expected a number of tokens, such as 32_000; .*"32k"/],
    [{ id: 'm', contextLenght: 32_000 }, /model\.contextLength: .*given: nothing/],
    [{ contextLength: 32_000 }, /model\.id: expected the model's name as a string; given: nothing/],
    [{ id: 'm', contextLength: 1, reserveOutputTokens: '4k' }, /model\.reserveOutputTokens: .*"4k"/],
  ])('is refused with the name of the field: %j', (model, message) => {
    expect(refusal({ model })).toMatch(message);
  });
});
