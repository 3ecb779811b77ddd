/**
 * A filter for logs: `my-service 2>&1 | npx tsx main.ts > service.log`. Lines are written as they come; only a private
 * key, which spans lines, is held back until it is whole.
 */
import { createInterface } from 'node:readline';
import { createRedactor } from '@palimpsest/redactor';

const redactor = createRedactor();
let held: string[] = [];

const write = (lines: readonly string[]): void => {
  if (lines.length > 0) process.stdout.write(`${redactor.redact(lines.join('\n'), { boundary: true })}\n`);
};

for await (const line of createInterface({ input: process.stdin })) {
  held.push(line);
  const opens = held.findLastIndex((one) => one.includes('-----BEGIN '));
  const isOpen = opens >= 0 && !held.slice(opens).some((one) => one.includes('-----END '));
  // A key has fewer lines than this: what is longer was none.
  if (isOpen && held.length < 200) continue;
  write(held);
  held = [];
}
write(held);
