import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { runHere } from './run-here.ts';

const folder = fileURLToPath(new URL('../../../../../shared/transcripts/', import.meta.url));
const files = existsSync(folder)
  ? readdirSync(folder).filter((name) => name.endsWith('.json') && name !== 'INDEX.json')
  : [];
if (files.length === 0) console.info(`Skipped: real transcripts of others lie in ${folder}, which is not here.`);
// All of them take a minute; one is enough to detect a regression.
const chosen = process.env.PALIMPSEST_DEEP ? files : files.slice(0, 1);

describe.skipIf(files.length === 0)('real transcripts of other agents', () => {
  it.each(chosen)('%s goes through both engines without a violation', async (file) => {
    const { code, stdout, stderr } = await runHere(['compare', file, '--json'], { cwd: folder });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    for (const row of JSON.parse(stdout).samples[0].engines) {
      expect(row.wireViolations).toBe(0);
      expect(row.taskKept).not.toBe(false);
      expect(row.tokensAfter).toBeLessThanOrEqual(row.tokensBefore);
    }
  });
});
