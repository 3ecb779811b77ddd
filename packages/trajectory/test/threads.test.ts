import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type BundledProcess, bundleProcess } from '../../../test/bundle-process.ts';
import { type LoopbackServer, startLoopbackServer } from '../../../test/loopback-server/index.ts';
import { writeGenerated } from './generated-rows.ts';
import { runCli } from './run-cli.ts';
import { quickTokenizer, scratchFolder } from './scratch.ts';
import { summaryAnswer } from './summary-answer.ts';

const scratch = scratchFolder();
const cwd = scratch.path;
let cli: BundledProcess;
let model: LoopbackServer;
beforeAll(async () => {
  [cli, model] = await Promise.all([
    bundleProcess(import.meta.url, '../src/cli.ts', '../src/worker-thread.ts'),
    startLoopbackServer(),
  ]);
});
afterAll(async () => {
  cli.remove();
  await model.close();
});

it.each([
  ['without a model', 'extractive'],
  ['with a model', 'openai:m'],
])('several workers write what one writes, in order, %s, with as many calls', async (_, summarizer) => {
  const { rows } = writeGenerated(join(cwd, 'in.jsonl'), 600_000, { largeCharacters: 40_000, largeEvery: 6 });
  const tokenizer = quickTokenizer(scratch);
  const runWith = async (workers: number) => {
    let calls = 0;
    model.play(() => {
      calls++;
      return summaryAnswer;
    });
    const out = join(cwd, `${summarizer.slice(0, 6)}-${workers}.jsonl`);
    const flags = ['--target', '8000', '--tokenizer', tokenizer, '--summarizer', summarizer, '--quiet'];
    const { code, stderr } = await runCli(cli.script, ['in.jsonl', '--out', out, '--workers', `${workers}`, ...flags], {
      cwd,
      env: { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: model.openaiUrl },
    });
    const report = JSON.parse(readFileSync(out.replace('.jsonl', '.report.json'), 'utf8')) as {
      totals: Record<string, number>;
    };
    const { durationMs: __, ...totals } = report.totals;
    return { code, stderr, calls, totals, output: readFileSync(out, 'utf8') };
  };
  const [one, three] = [await runWith(1), await runWith(3)];
  expect(one).toMatchObject({ code: 0, stderr: '', totals: { rows, calls: one.calls, failed: 0 } });
  expect(one.totals.compacted).toBeGreaterThan(3);
  expect(one.calls > 3).toBe(summarizer !== 'extractive');
  expect(three).toEqual(one);
});
