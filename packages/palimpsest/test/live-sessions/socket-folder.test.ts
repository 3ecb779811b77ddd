import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { prepareSocketFolder, socketPath } from '../../src/live-sessions/socket-folder.ts';

const folder = mkdtempSync(join(tmpdir(), 'palimpsest-sockets-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe.skipIf(process.platform === 'win32')('the folder of the sockets', () => {
  it('is not a link, which could lead to a folder of somebody else', async () => {
    mkdirSync(join(folder, 'real'));
    symlinkSync(join(folder, 'real'), join(folder, 'link'));
    await prepareSocketFolder(join(folder, 'real'));
    await expect(prepareSocketFolder(join(folder, 'link'))).rejects.toThrow(/link is not a folder of this user/);
  });

  it('has a path that fits the address of a socket', () => {
    expect(socketPath('/home/ada/.palimpsest', '0a1b2c3d')).toBe('/home/ada/.palimpsest/0a1b2c3d.sock');
    expect(() => socketPath(`/home/${'a'.repeat(90)}`, '0a1b2c3d')).toThrow(/too long for a socket/);
  });
});
