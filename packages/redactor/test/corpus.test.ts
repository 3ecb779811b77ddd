import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { redact } from '../src/index.ts';

/** Public texts with and without secrets. They are stored outside the repository, because scanners block token-shaped text. */
const path = new URL('../../../../shared/secrets/cases.json.gz', import.meta.url);

interface Case {
  readonly input: string;
  readonly secret: string | null;
  readonly expect: 'redact' | 'keep';
  readonly placeholder?: boolean;
  readonly ambiguous?: boolean;
}

const missing = existsSync(path) ? '' : ' (skipped: ../shared/secrets does not exist)';

describe.skipIf(missing !== '')(`redact on the public corpus${missing}`, () => {
  const cases = missing === '' ? (JSON.parse(gunzipSync(readFileSync(path)).toString()) as Case[]) : [];

  it('masks at least 99 % of the secrets', () => {
    const secrets = cases.filter((one) => one.expect === 'redact' && !one.placeholder && one.secret);
    const masked = secrets.filter(({ input, secret }) => !redact(input).includes(secret!));
    expect(secrets.length).toBeGreaterThan(500);
    expect(masked.length / secrets.length).toBeGreaterThanOrEqual(0.99);
  });

  it('changes at most 1 % of the harmless texts', () => {
    const harmless = cases.filter((one) => one.expect === 'keep' && !one.ambiguous);
    const changed = harmless.filter(({ input }) => redact(input) !== input);
    expect(harmless.length).toBeGreaterThan(100);
    expect(changed.length / harmless.length).toBeLessThanOrEqual(0.01);
  });
});
