import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Message } from '@palimpsest/core';
import { createTokenCounter } from '@palimpsest/tokens';
import { build } from 'esbuild';
import { longTranscript } from '../speed/long-transcript.ts';
import { median } from '../spread.ts';

const entry = fileURLToPath(new URL('../../../../packages/tokens/src/index.ts', import.meta.url));

/** Heap of the root entry of `tokens` after it has counted in two encodings, in bytes: its bundle in a process of its own. */
export async function heapOfRootEntry(): Promise<number> {
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    // With the neutral platform, importing a Node built-in fails the build.
    platform: 'neutral',
    conditions: ['palimpsest-source'],
  });
  const script = `
    const used = () => { gc(); gc(); const m = process.memoryUsage(); return m.heapUsed + m.arrayBuffers; };
    const source = Buffer.from(process.env.BUNDLE, 'base64');
    const before = used();
    const { createTokenCounter } = await import('data:text/javascript;base64,' + source.toString('base64'));
    const counters = ['o200k_base', 'claude'].map((encoding) => createTokenCounter({ encoding }));
    for (const counter of counters) for (let at = 0; at < 2000; at++) counter.countText('some text to count ' + at);
    console.log(used() - before);`;
  const env = { ...process.env, BUNDLE: Buffer.from(outputFiles[0]!.contents).toString('base64') };
  return Number(execFileSync(process.execPath, ['--expose-gc', '--input-type=module', '-e', script], { env }));
}

/**
 * Median milliseconds to count 4,000 messages again after one more. Wall-clock time: one count is too short for the
 * resolution of processor time.
 */
export function recountMs(rounds: number): number {
  const counter = createTokenCounter();
  const messages: Message[] = longTranscript(4_000);
  counter.countMessages(messages);
  return median(
    Array.from({ length: rounds }, (_, round) => {
      messages.push({ role: 'user', content: `Result number ${round}, of the length that most have. `.repeat(20) });
      const from = performance.now();
      counter.countMessages(messages);
      return performance.now() - from;
    }),
  );
}
