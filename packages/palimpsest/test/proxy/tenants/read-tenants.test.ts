import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readTenants } from '../../../src/proxy/tenants/read-tenants.ts';
import { tenantsFile } from './tenants-file.ts';

describe('a file of tenants', () => {
  it.each([
    [
      'a token that is not hashed',
      { tenants: { a: { tokens: ['plain-token'] } } },
      /tenants\.a\.tokens\.0: write "sha256:"/,
    ],
    [
      'the hash of a token that was not set',
      { tenants: { a: { tokens: [`sha256:${createHash('sha256').update('').digest('hex')}`] } } },
      /SHA-256 of an empty text/,
    ],
    [
      'a key',
      { tenants: { a: { tokens: [`sha256:${'0'.repeat(64)}`], keys: { openai: 'sk-1' } } } },
      /name a variable/,
    ],
    [
      'a variable that is not set',
      { tenants: { a: { tokens: [`sha256:${'0'.repeat(64)}`], keys: { openai: '$MISSING' } } } },
      /names \$MISSING, which is not set/,
    ],
    [
      'a token of two tenants',
      { tenants: { a: { tokens: [`sha256:${'0'.repeat(64)}`] }, b: { tokens: [`sha256:${'0'.repeat(64)}`] } } },
      /a and b have the same token/,
    ],
    ['an unknown limit', { tenants: {}, limits: { requestsPerSecond: 1 } }, /requestsPerSecond/],
    ['a name with a slash', { tenants: { 'a/b': { tokens: [`sha256:${'0'.repeat(64)}`] } } }, /a name has up to/],
  ])('with %s is refused', async (_, content, message) => {
    const path = tenantsFile({});
    writeFileSync(path, JSON.stringify(content));
    await expect(readTenants(path, {})).rejects.toThrow(message);
  });
});
