import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { imageSize } from 'image-size';
import { describe, expect, it } from 'vitest';
import { imageCost } from '../src/images/image-cost.ts';
import { imageDimensions } from '../src/images/image-dimensions.ts';
import { type ImageProfile, type ImageRule, imageTokens, loadImageCost, loadModelCounter } from '../src/images.ts';
import { base64, dataUrl, gifBytes, jpegBytes, pngBytes, webpBytes } from './image-bytes.ts';
import { sharedData } from './shared-data.ts';

const encoders = {
  'image/png': pngBytes,
  'image/jpeg': jpegBytes,
  'image/gif': gifBytes,
  'image/webp': webpBytes,
} as const;

// [rule, width, height, tokens, detail?], from the providers' documentation and bills.
const documented: readonly (readonly [ImageRule | ImageProfile, number, number, number, string?])[] = [
  ['anthropic', 1024, 1024, 1369],
  ['anthropic', 512, 512, 361],
  ['anthropic', 1280, 720, 1196],
  ['anthropic', 597, 566, 462],
  ['anthropic', 540, 360, 260],
  ['anthropic', 784, 1568, 1568],
  ['anthropic', 1092, 1092, 1521],
  ['anthropic-legacy', 200, 200, 54],
  ['anthropic-legacy', 1000, 1000, 1334],
  ['anthropic-legacy', 1092, 1092, 1590],
  ['openai-tile', 1024, 1024, 765],
  ['openai-tile', 2048, 4096, 1105],
  ['openai-tile', 4096, 8192, 85, 'low'],
  ['openai-tile', 3008, 2000, 1105, 'auto'],
  ['openai-tile', 1800, 2400, 765],
  ['openai-tile', 2049, 513, 1445],
  ['openai-tile', 2050, 513, 765],
  [{ profile: 'openai-tile', base: 2833, tile: 5667 }, 128, 64, 8500],
  [{ profile: 'openai-tile', base: 70, tile: 140 }, 1024, 1024, 630],
  ['openai-patch', 1024, 1024, 1024],
  ['openai-patch', 1800, 2400, 1452],
  [{ profile: 'openai-patch', multiplier: 1.62 }, 2400, 1800, 2352],
  [{ profile: 'openai-patch', multiplier: 1.62 }, 4000, 1474, 2488],
  [{ profile: 'openai-patch', multiplier: 2.46 }, 540, 360, 502],
  [{ profile: 'openai-patch', multiplier: 1.2 }, 597, 566, 410],
  [{ profile: 'openai-patch', multiplier: 1.2 }, 400, 301, 156],
  ['gemini-2', 384, 384, 258],
  ['gemini-2', 3008, 2000, 3354],
  ['gemini-2', 540, 360, 1806],
  ['gemini-3', 597, 566, 1088],
  ['gemini-3', 400, 301, 1102],
  ['flat', 4000, 3000, 1600],
  [{ profile: 'flat', tokens: 258 }, 400, 301, 258],
];

describe('the cost of an image', () => {
  for (const [rule, width, height, tokens, detail] of documented) {
    const name = typeof rule === 'string' ? rule : JSON.stringify(rule);
    it(`${width} x ${height} is ${tokens} by ${name}${detail ? ` in ${detail} detail` : ''}, read from every format`, () => {
      const cost = imageCost(rule, imageSize);
      for (const [mediaType, encode] of Object.entries(encoders)) {
        const found = cost({ source: dataUrl(encode(width, height), mediaType), mediaType, detail });
        expect(Math.abs(found - tokens) / tokens, `${mediaType}: ${found}`).toBeLessThanOrEqual(0.02);
      }
    });
  }

  it('does not exceed the cap of the model for large images', () => {
    for (const [width, height] of [
      [8000, 8000],
      [3840, 2160],
      [100, 3000],
      [8000, 20],
    ] as const) {
      const standard = imageTokens('anthropic', { width, height });
      expect(standard).toBeLessThanOrEqual(1568);
      expect(imageTokens({ profile: 'anthropic', resolution: 'high' }, { width, height })).toBeLessThanOrEqual(4784);
    }
    expect(imageTokens('anthropic', { width: 8000, height: 8000 })).toBeGreaterThan(1480);
    expect(imageTokens({ profile: 'anthropic', resolution: 'high' }, { width: 2576, height: 1449 })).toBe(4784);
  });

  it('is a positive integer for any size and rule', () => {
    const rules: (ImageRule | ImageProfile)[] = [
      'anthropic',
      'anthropic-legacy',
      'openai-tile',
      'openai-patch',
      'gemini-2',
      'gemini-3',
      'flat',
      { profile: 'gemini-3', budget: 280 },
    ];
    fc.assert(
      fc.property(
        fc.constantFrom(...rules),
        fc.integer({ min: 1, max: 65_535 }),
        fc.integer({ min: 1, max: 65_535 }),
        (rule, width, height) => {
          const tokens = imageTokens(rule, { width, height });
          expect(Number.isInteger(tokens) && tokens > 0).toBe(true);
        },
      ),
    );
    for (const size of [
      { width: 0, height: 5 },
      { width: Number.NaN, height: 1 },
      { width: Number.POSITIVE_INFINITY, height: 1 },
    ]) {
      for (const rule of rules) expect(imageTokens(rule, size)).toBeGreaterThan(0);
    }
  });
});

describe('an image that cannot be read', () => {
  const cost = imageCost('openai-tile', imageSize);

  it('costs a flat 1,600 if it is a link, a file id or a document', () => {
    expect(cost({ source: 'https://example.org/cat.png' })).toBe(1600);
    expect(cost({ source: '' })).toBe(1600);
    expect(cost({ source: 'data:application/pdf;base64,JVBERi0xLjcKJcOkw7zDtsOf', mediaType: 'application/pdf' })).toBe(
      1600,
    );
  });

  it('costs the base in low detail if low detail has a fixed price', () => {
    expect(cost({ source: 'https://example.org/cat.png', detail: 'low' })).toBe(85);
  });

  it('costs the flat price if its header is truncated', () => {
    for (const [mediaType, encode] of Object.entries(encoders)) {
      const bytes = encode(800, 600);
      for (let length = 0; length < bytes.length; length++) {
        const tokens = cost({ source: dataUrl(bytes.subarray(0, length), mediaType), mediaType });
        expect([1600, 765], `${mediaType} cut at ${length}`).toContain(tokens);
      }
      expect(cost({ source: dataUrl(bytes.subarray(0, 6), mediaType) })).toBe(1600);
    }
  });

  it('costs the flat price if its header has no size or an implausible one', () => {
    for (const bytes of [
      pngBytes(0, 100),
      pngBytes(4_000_000_000, 10),
      pngBytes(60_000, 60_000),
      gifBytes(65_535, 65_535),
      jpegBytes(0, 0),
      webpBytes(16_777_216, 16_777_216),
    ]) {
      expect(cost({ source: dataUrl(bytes, 'image/png') })).toBe(1600);
    }
  });

  it('is recognized by its bytes, not by its media type', () => {
    expect(cost({ source: dataUrl(jpegBytes(1024, 1024), 'image/png'), mediaType: 'image/png' })).toBe(765);
  });

  it('never throws, whatever the bytes', () => {
    const starts = Object.values(encoders).map((encode) => [...encode(640, 480).subarray(0, 16)]);
    fc.assert(
      fc.property(fc.constantFrom([], ...starts), fc.uint8Array({ maxLength: 200 }), (start, rest) => {
        const bytes = Uint8Array.from([...start, ...rest]);
        const tokens = cost({ source: dataUrl(bytes, 'image/png') });
        expect(Number.isFinite(tokens) && tokens > 0).toBe(true);
        expect(cost({ source: '', bytes })).toBe(tokens);
      }),
    );
    for (const source of [
      'data:',
      'data:image/png;base64,',
      'data:image/png;base64,%%%',
      'data:image/png;base64,iVBO====iVBO',
    ])
      expect(cost({ source })).toBe(1600);
  });
});

describe('imageDimensions', () => {
  it('finds the size of a JPEG after 100 kB of metadata', () => {
    const source = dataUrl(jpegBytes(3008, 2000, 100_000), 'image/jpeg');
    expect(imageDimensions({ source }, imageSize)).toEqual({ width: 3008, height: 2000 });
  });

  it('reads bare base64, base64url, wrapped and JSON-escaped base64, and raw bytes', () => {
    const bytes = jpegBytes(1280, 720);
    const plain = base64(bytes);
    const forms = [
      plain,
      plain.replaceAll('+', '-').replaceAll('/', '_'),
      plain.replace(/.{16}/g, '$&\r\n'),
      plain.replaceAll('/', '\\/'),
    ];
    for (const source of forms) expect(imageDimensions({ source }, imageSize)).toEqual({ width: 1280, height: 720 });
    expect(imageDimensions({ source: '', bytes }, imageSize)).toEqual({ width: 1280, height: 720 });
  });

  it('loads the header reader on demand', async () => {
    const cost = await loadImageCost('anthropic');
    expect(cost({ source: dataUrl(pngBytes(512, 512), 'image/png') })).toBe(361);
  });

  it('counts for each model by its rule', async () => {
    const counterOf = await loadModelCounter();
    const image = { type: 'image_url', image_url: { url: dataUrl(pngBytes(2576, 1449), 'image/png') } };
    const imagesOf = (model: string) =>
      counterOf(model).measureRequest({ messages: [{ role: 'user', content: [image] }] }).images;
    expect(['claude-opus-4-7', 'claude-sonnet-4-6', 'gpt-5', 'my-own-model'].map(imagesOf)).toEqual([
      4784, 1560, 910, 1600,
    ]);
  });
});

describe.skipIf(!sharedData)('real images (needs ../shared)', () => {
  const listed = sharedData
    ? (JSON.parse(readFileSync(`${sharedData}/images/INDEX.json`, 'utf8')) as {
        file: string;
        width: number;
        height: number;
      }[])
    : [];

  it('have the size in their index, in any orientation', () => {
    for (const { file, width, height } of listed) {
      const found = imageDimensions({ source: '', bytes: readFileSync(`${sharedData}/images/${file}`) }, imageSize);
      expect([found?.width, found?.height].sort(), file).toEqual([width, height].sort());
    }
  });
});

it.each([
  ['a misspelled name', 'openai-tyle', /"openai-tyle"/],
  ['another key', { rule: 'openai-tile' }, /undefined/],
  ['nothing', undefined, /undefined/],
])('rejects %s as a rule, and lists the known profiles', (_what, rule, found) => {
  const size = { width: 100, height: 100 };
  const attempts = [() => imageTokens(rule as never, size), () => imageCost(rule as never, () => size)];
  for (const attempt of attempts) {
    expect(attempt).toThrow(found);
    expect(attempt).toThrow(/openai-tile.*gemini-3.*flat/);
  }
});
