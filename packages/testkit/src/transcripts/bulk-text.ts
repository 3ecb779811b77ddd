import type { Random } from './random.ts';

/** Typical lines of tool output, by kind. They are repeated to the wanted size, which is cheap. */
const lines = {
  log: [
    '2026-01-05T09:14:02.118Z INFO  worker-3 processed batch 1182 in 41 ms (312 rows)',
    '2026-01-05T09:14:02.160Z WARN  worker-3 retrying shard 7: connection reset by peer',
    '2026-01-05T09:14:02.201Z DEBUG cache hit ratio 0.93, 18442 entries, 61.2 MB',
  ],
  code: [
    'export function parseRange(header: string, size: number): Range | null {',
    '  const match = /^bytes=(\\d*)-(\\d*)$/.exec(header);',
    "  if (!match) throw new RangeError('malformed range header');",
    '  return { start: Number(match[1]), end: Math.min(size - 1, Number(match[2])) };',
    '}',
    '',
  ],
  test: [
    ' PASS  test/range.test.ts > parses an open range (2 ms)',
    ' FAIL  test/upload.test.ts > resumes: expected 206 to be 416 at test/upload.test.ts:88:19',
    ' PASS  test/store.test.ts > keeps the newest version (11 ms)',
  ],
  json: [
    '{"id": 4711, "path": "src/server/upload.ts", "line": 88, "severity": "error", "message": "unused variable"}',
    '{"id": 4712, "path": "src/server/range.ts", "line": 12, "severity": "warning", "message": "größer als nötig"}',
  ],
  chinese: ['文件 src/上传.ts 第 88 行：期望 206，实际 416。', '已处理 312 行，用时 41 毫秒。'],
} as const;

const kinds = Object.keys(lines) as (keyof typeof lines)[];

/** Output sizes in characters, weighted by repetition: most are small, a few are huge. */
const sizes = [60, 60, 180, 240, 400, 800, 800, 1_600, 1_600, 3_200, 6_000, 12_000, 30_000] as const;

const blocks = new Map<string, string>();

function block(kind: keyof typeof lines, size: number): string {
  const key = `${kind} ${size}`;
  let made = blocks.get(key);
  if (made === undefined) {
    const once = `${lines[kind].join('\n')}\n`;
    made = once.repeat(Math.ceil(size / once.length)).slice(0, size);
    blocks.set(key, made);
  }
  return made;
}

/** Generates tool output. A title line makes most outputs unique; 25% have none and may repeat. */
export function bulkText(from: Random, title: string): string {
  const body = block(from.pick(kinds), from.pick(sizes));
  return from.chance(25) ? body : `${title} #${from.below(1_000)}\n${body}`;
}
