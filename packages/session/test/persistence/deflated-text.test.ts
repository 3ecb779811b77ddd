import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deflateText, inflateText } from '../../src/persistence/signed-state.ts';

describe('a deflated text', () => {
  it('is inflated as it was', async () => {
    const texts = fc.oneof(fc.json(), fc.string({ unit: 'grapheme' }), fc.constant('long '.repeat(50_000)));
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        expect(await inflateText(await deflateText(text))).toBe(text);
      }),
    );
  });

  it('that was cut off, changed or is of another kind is not inflated', async () => {
    const deflated = await deflateText(JSON.stringify({ text: 'The port stays at 8080.'.repeat(20) }));
    for (const text of ['', 'x', '{}', deflated.slice(4), deflated.slice(0, -8), `${deflated}AAAA`])
      expect(await inflateText(text)).toBeNull();
  });

  it('that would be of any length is not inflated', async () => {
    expect(await inflateText(deflateSync(Buffer.alloc(100_000_001)).toString('base64'))).toBeNull();
  });
});
