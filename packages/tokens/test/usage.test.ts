import type { Message } from '@palimpsest/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTokenCounter } from '../src/index.ts';
import { createCalibration, createUsageAnchor, usageDollars } from '../src/usage.ts';

describe('calibration', () => {
  it('is within 5 % after ten requests whose estimates were off by a factor of 1.4', () => {
    for (const off of [1.4, 1 / 1.4]) {
      const calibration = createCalibration();
      for (let at = 0; at < 10; at++)
        calibration.calibrate({ model: 'm', estimated: 1000 * (at + 1), actual: 1000 * (at + 1) * off });
      expect(Math.abs(calibration.apply({ estimated: 50_000 }, 'm') / (50_000 * off) - 1)).toBeLessThan(0.05);
    }
  });

  it('changes by less than 15 % per request, and stays between 0.5 and 2', () => {
    const sample = fc.record({
      estimated: fc.double(),
      actual: fc.double(),
      estimatedImages: fc.option(fc.double(), { nil: undefined }),
    });
    fc.assert(
      fc.property(fc.array(sample, { maxLength: 40 }), (samples) => {
        const calibration = createCalibration();
        for (const one of samples) {
          const before = [calibration.ratio(), calibration.ratio('', 'images')];
          calibration.calibrate(one);
          const after = [calibration.ratio(), calibration.ratio('', 'images')];
          after.forEach((ratio, at) => {
            expect(Math.abs(ratio / before[at]! - 1)).toBeLessThan(0.15);
            expect(ratio >= 0.5 && ratio <= 2).toBe(true);
          });
        }
      }),
    );
  });

  it('has separate ratios for each model, and for images and text', () => {
    const calibration = createCalibration();
    for (let at = 0; at < 12; at++) {
      calibration.calibrate({ model: 'a', estimated: 1000, actual: 1300 });
      calibration.calibrate({ model: 'b', estimated: 200, estimatedImages: 8000, actual: 200 + 4800 });
    }
    expect(calibration.ratio('a')).toBeCloseTo(1.3, 1);
    expect(calibration.ratio('a', 'images')).toBe(1);
    expect(calibration.ratio('b')).toBe(1);
    expect(calibration.ratio('b', 'images')).toBeCloseTo(0.6, 1);
    expect(calibration.ratio('never seen')).toBe(1);
  });

  it('ignores invalid samples', () => {
    const calibration = createCalibration();
    for (const actual of [0, -5, Number.NaN, Number.POSITIVE_INFINITY])
      calibration.calibrate({ estimated: 100, actual });
    for (const estimated of [0, -5, Number.NaN]) calibration.calibrate({ estimated, actual: 100 });
    expect(calibration.ratio()).toBe(1);
    expect(calibration.apply({ estimated: Number.NaN })).toBe(0);
  });

  it('continues from a snapshot, and ignores damaged entries', () => {
    const calibration = createCalibration();
    for (let at = 0; at < 5; at++) calibration.calibrate({ model: 'm', estimated: 100, actual: 150 });
    const restored = createCalibration(JSON.parse(JSON.stringify(calibration.snapshot())));
    expect(restored.ratio('m')).toBe(calibration.ratio('m'));
    expect(createCalibration({ m: { text: 'x', images: 900 } } as never).snapshot()).toEqual({
      m: { text: 1, images: 2 },
    });
    expect(createCalibration({ m: null } as never).ratio('m')).toBe(1);
  });
});

describe('a usage anchor', () => {
  const conversation = (count: number): Message[] =>
    Array.from(
      { length: count },
      (_, at): Message => ({ role: at % 2 ? 'assistant' : 'user', content: `Message number ${at}, of a few words.` }),
    );

  it('gives the reported tokens plus the estimate of the appended messages', () => {
    const counter = createTokenCounter();
    const anchor = createUsageAnchor(counter);
    const messages = conversation(20);
    anchor.record({ messages }, 54_321);
    expect(anchor.size({ messages })).toEqual({ tokens: 54_321, estimatedTokens: 0, covers: 20 });
    const appended = conversation(24).slice(20);
    const expected = appended.reduce((sum, message) => sum + counter.countMessage(message), 0);
    // Copies count as the same messages, because their content is compared.
    expect(anchor.size({ messages: [...structuredClone(messages), ...appended] })).toEqual({
      tokens: 54_321 + expected,
      estimatedTokens: expected,
      covers: 20,
    });
  });

  it('does not apply if the covered messages were changed, reordered or removed', () => {
    const counter = createTokenCounter();
    const anchor = createUsageAnchor(counter);
    const messages = conversation(6);
    anchor.record({ messages }, 99_999);
    const edited = structuredClone(messages);
    (edited[2] as { content: string }).content += '!';
    const swapped = [messages[2]!, messages[1]!, messages[0]!, ...messages.slice(3)];
    for (const other of [edited, swapped, messages.slice(1), messages.slice(0, 5), []]) {
      const tokens = counter.countRequest({ messages: other });
      expect(anchor.size({ messages: other })).toEqual({ tokens, estimatedTokens: tokens, covers: 0 });
    }
    (messages[0] as { content: string }).content = 'replaced in place';
    expect(anchor.size({ messages }).covers).toBe(0);
  });

  it('accounts for a change of tools', () => {
    const counter = createTokenCounter();
    const anchor = createUsageAnchor(counter);
    const messages = conversation(4);
    anchor.record({ messages }, 1000);
    const tools = [
      { name: 'search', description: 'Searches the web for pages. '.repeat(30), input_schema: { type: 'object' } },
    ];
    const more = counter.countRequest({ messages, tools }) - counter.countRequest({ messages });
    expect(anchor.size({ messages, tools }).tokens).toBe(1000 + more);
  });

  it('survives a restart as JSON, and ignores invalid reports', () => {
    const counter = createTokenCounter();
    const anchor = createUsageAnchor(counter);
    const messages = conversation(8);
    for (const wrong of [Number.NaN, 0, -1, Number.POSITIVE_INFINITY]) anchor.record({ messages }, wrong);
    expect(anchor.snapshot()).toBeNull();
    anchor.record({ messages }, 777);
    const restored = createUsageAnchor(counter, JSON.parse(JSON.stringify(anchor.snapshot())));
    expect(restored.size({ messages }).tokens).toBe(777);
  });

  it('fingerprints cyclic messages without throwing', () => {
    const cyclic: Record<string, unknown> = { type: 'odd' };
    cyclic.self = cyclic;
    const anchor = createUsageAnchor(createTokenCounter());
    const messages = [{ role: 'user', content: [cyclic] }] as unknown as Message[];
    anchor.record({ messages }, 500);
    expect(anchor.size({ messages }).tokens).toBe(500);
  });
});

it('an answer never costs less than nothing, whatever a provider reports', () => {
  const prices = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 };
  expect(
    usageDollars({ promptTokens: 1_000, completionTokens: 0, cachedTokens: 1_000, cacheWriteTokens: 800 }, prices),
  ).toBeCloseTo(0.0033);
});
