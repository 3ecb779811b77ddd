import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type BundledProcess, bundleProcess } from '../../../../test/bundle-process.ts';
import { runningProcess } from '../../../../test/running-process.ts';
import { fileStore } from '../../src/file-store.ts';

let bundle: BundledProcess;
let folder: string;
beforeAll(async () => {
  bundle = await bundleProcess(import.meta.url, './leasing-process.ts');
  folder = mkdtempSync(join(tmpdir(), 'palimpsest-lease-'));
});
afterAll(() => {
  bundle.remove();
  rmSync(folder, { recursive: true, force: true });
});

it('a lease of another process ends when that process is killed', async () => {
  const holder = runningProcess(process.execPath, [bundle.script, folder], { cwd: folder });
  await holder.written(/taken/);
  const store = fileStore(folder);
  expect(await store.lease('page', 1_000)).toBe(null);
  holder.process.kill('SIGKILL');
  await holder.ended;
  const release = await store.lease('page', 1_000);
  expect(release).not.toBe(null);
  expect(await store.lease('page', 1_000)).toBe(null);
  await release!();
  expect(await store.lease('page', 1_000)).not.toBe(null);
});
