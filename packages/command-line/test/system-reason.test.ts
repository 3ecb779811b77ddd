import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { systemReason } from '../src/system-reason.ts';

it('explains why a file operation failed', async () => {
  const reason = (path: string): Promise<string> => readFile(path, 'utf8').catch(systemReason);
  expect(await reason('/nowhere/at/all')).toBe('there is no such file or folder');
  expect(await reason('/')).toBe('it is a folder');
});

it('returns the code of an unknown reason, and the message if there is no code', () => {
  expect(systemReason(Object.assign(new Error('bus error'), { code: 'EIO' }))).toBe('EIO');
  expect(systemReason(new Error('bus error'))).toBe('bus error');
});
