import fc from 'fast-check';
import { defaultSettings, type EngineSettings } from 'palimpsest/replay/engine-settings';
import { describe, expect, it } from 'vitest';
import { session } from '../../../packages/palimpsest/test/comparison/session.ts';
import { readAddress, writeAddress } from '../web/src/address/address.ts';
import { newestOnly } from '../web/src/store/newest-only.ts';
import { blockAt, edgesOf } from '../web/src/strip/layout.ts';
import { panBy, panTo, wholeStrip, type Zoom, zoomBy } from '../web/src/strip/zoom.ts';
import { createPageWorker } from '../web/src/worker/page-worker.ts';

describe('a strip', () => {
  it('maps every position to a block with a width proportional to its tokens', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(5_000), { minLength: 1, maxLength: 60 }),
        fc.integer({ min: 1, max: 2_000 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (tokens, width, place) => {
          const total = tokens.reduce((sum, size) => sum + size, 0);
          const edges = edgesOf(tokens, total, width);
          const at = blockAt(edges, place * width);
          expect(at).toBeGreaterThanOrEqual(0);
          expect(at).toBeLessThan(tokens.length);
          fc.pre(total > 0);
          expect(edges.at(-1)).toBeCloseTo(width);
          expect(edges[at]! <= place * width).toBe(true);
          if (at < tokens.length - 1) expect(edges[at + 1]! > place * width).toBe(true);
        },
      ),
    );
  });

  it('returns -1 when there are no blocks', () => expect(blockAt(edgesOf([], 0, 100), 50)).toBe(-1));
});

describe('the zoom of the strips', () => {
  const anyZoom = fc
    .tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 1, max: 900, noNaN: true }))
    .map(([at, factor]) => zoomBy(wholeStrip, factor, at));
  const isInside = ({ from, to }: Zoom): boolean => from >= -1e-9 && to <= 1 + 1e-9 && to > from;

  it('keeps the point under the pointer in place, and never leaves the session', () => {
    fc.assert(
      fc.property(
        anyZoom,
        fc.double({ min: 0.2, max: 5, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (zoom, factor, share) => {
          const at = zoom.from + share * (zoom.to - zoom.from);
          const next = zoomBy(zoom, factor, at);
          expect(isInside(next)).toBe(true);
          expect(at).toBeGreaterThanOrEqual(next.from - 1e-9);
          expect(at).toBeLessThanOrEqual(next.to + 1e-9);
          expect(isInside(panBy(zoom, factor))).toBe(true);
        },
      ),
    );
  });

  it('moves to a block that is not visible, and not to one that is', () => {
    const zoom = { from: 0.4, to: 0.6 };
    expect(panTo(zoom, 0.45, 0.5)).toBe(zoom);
    expect(panTo(zoom, 0.7, 0.72).to).toBeCloseTo(0.72);
    expect(panTo(zoom, 0.1, 0.12).from).toBeCloseTo(0.1);
  });
});

describe('the address of the page', () => {
  it('is read as it was written', () => {
    const address = {
      session: 'a & b#1.json',
      ordinal: 2,
      settings: { windowTokens: 64_000, threshold: 0.35, targetTokens: 8_000 },
      turn: 4,
      message: 17,
    };
    expect(readAddress(writeAddress(address))).toEqual(address);
    expect(writeAddress({ settings: {} })).toBe('#');
  });

  it('ignores what is not valid, whatever it is', () => {
    expect(readAddress('#install')).toEqual({ settings: {} });
    expect(readAddress('#window=1e99&threshold=0.99&protect=1.5&target=-1&request=0&message=x')).toEqual({
      settings: {},
    });
    fc.assert(
      fc.property(fc.string(), (hash) => {
        const { turn = 0, message = 0 } = readAddress(hash);
        expect(turn).toBeGreaterThanOrEqual(0);
        expect(message).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});

describe('newestOnly', () => {
  it('runs the first and the newest query, skips those between, and interrupts the outdated one', async () => {
    const asked: number[] = [];
    const ends: (() => void)[] = [];
    let interruptions = 0;
    const ask = newestOnly<number>(
      (question) => {
        asked.push(question);
        return new Promise((resolve) => ends.push(resolve));
      },
      () => interruptions++,
    );
    for (const question of [1, 2, 3, 4]) ask(question);
    expect(asked).toEqual([1]);
    expect(interruptions).toBe(3);
    ends[0]!();
    await Promise.resolve().then(() => {});
    expect(asked).toEqual([1, 4]);
  });
});

describe('the worker', () => {
  it('names the file in every problem', async () => {
    const { open } = createPageWorker();
    const unreadable = {
      stream() {
        throw new Error('the disk is gone');
      },
    } as unknown as Blob;
    expect(await open({ name: 'a.json', data: unreadable }, 0)).toEqual({
      ok: false,
      problem: expect.stringMatching(/^a\.json could not be read \(the disk is gone\); choose a transcript/),
    });
    expect(await open({ name: 'b.json', data: JSON.stringify({ messages: session(2) }) }, 3)).toEqual({
      ok: false,
      problem: 'b.json has no transcript number 4; choose another one, or another file',
    });
  });

  it('replays with the settings that are asked for, and remembers the result', async () => {
    const worker = createPageWorker();
    await worker.open({ name: 'session.json', data: JSON.stringify({ messages: session(120) }) }, 0);
    const of = (windowTokens: number): EngineSettings => ({ ...defaultSettings, windowTokens });
    const [asked, same] = await Promise.all([
      worker.run('compressor', of(32_000), null),
      worker.run('compressor', of(16_000), null),
    ]);
    expect(asked?.replay.compactions.length).toBeGreaterThan(0);
    expect(same?.replay.compactions.length).toBeGreaterThan(asked!.replay.compactions.length);
    expect((await worker.run('compressor', of(16_000), null))?.replay).toBe(same?.replay);
    // An interrupted replay is not remembered.
    const interrupted = worker.run('compressor', of(12_000), null);
    worker.interrupt('compressor');
    expect(await interrupted).toBeNull();
    expect((await worker.run('compressor', of(12_000), null))?.replay.compactions.length).toBeGreaterThan(0);
    const { messages } = JSON.parse((await worker.writeCompacted('compressor', of(16_000), null))!) as {
      messages: unknown[];
    };
    expect(messages.length).toBeLessThan(243);
  });
});
