import { readFileSync } from 'node:fs';

export const megabyte: number = 1 << 20;

/** Pseudo-random generator with a fixed seed, so that every run uses the same texts. */
function generator(): (limit: number) => number {
  let state = 7;
  return (limit) => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return Math.floor((state / 2147483648) * limit);
  };
}

const fill = (size: number, line: () => string): string => {
  const lines: string[] = [];
  for (let length = 0; length < size; ) {
    const next = line();
    lines.push(next);
    length += next.length;
  }
  return lines.join('').slice(0, size);
};

/** Generates the texts to time: clean logs, clean code, and a dump in which about every second line is a secret. */
export function speedTexts(size: number): Readonly<Record<'logs' | 'code' | 'dense', string>> {
  const random = generator();
  const draw = (length: number): string =>
    Array.from({ length }, () => 'abcdefghijklmnopqrstuvwxyz0123456789'[random(36)]).join('');
  const typescript = readFileSync(new URL(import.meta.resolve('typescript')), 'utf8');
  return {
    logs: fill(
      size,
      () =>
        `2026-11-21T09:${random(60)}:${random(60)}.123Z INFO  [worker-${random(9)}] request id=${random(1e9).toString(16)} ` +
        `method=GET path=/api/v1/items/${random(1000)}?page=${random(9)} status=200 duration=${random(900)}ms agent="Mozilla/5.0"\n`,
    ),
    code: typescript.slice(3 * megabyte, 3 * megabyte + size),
    dense: fill(size, () =>
      random(2) === 0
        ? `SERVICE_${random(99)}_API_KEY=${draw(40)}\n`
        : `SERVICE_${random(99)}_URL=https://service-${random(99)}.internal.example.com:8443/v1/health\n`,
    ),
  };
}
