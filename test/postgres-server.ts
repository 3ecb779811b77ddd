import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from './free-port.ts';

/** A PostgreSQL server for one test, on a free port. It keeps its data over a restart. */
export interface PostgresServer {
  readonly url: string;
  stop(): Promise<void>;
  start(): Promise<void>;
}

const debian = '/usr/lib/postgresql';
const versions = existsSync(debian) ? readdirSync(debian) : [];
const programs = versions.map((version) => join(debian, version, 'bin')).find((bin) => existsSync(join(bin, 'initdb')));
const isRequired = (process.env.PALIMPSEST_REQUIRE ?? '').split(',').includes('postgresql');

/** Without PostgreSQL, tests are skipped, with a note. `PALIMPSEST_REQUIRE=postgresql` makes them fail instead. */
export const postgresIsMissing = !programs && !isRequired;
export const postgresNote = postgresIsMissing
  ? ' (skipped: PostgreSQL is not installed; on Debian: apt install postgresql)'
  : '';

/** PostgreSQL does not run as root. */
const isRoot = process.getuid?.() === 0;
const user: ReturnType<typeof userNamed> = isRoot ? userNamed('postgres') : {};

function userNamed(name: string): { readonly uid?: number; readonly gid?: number } {
  try {
    const idOf = (flag: string): number => Number(execFileSync('id', [flag, name], { encoding: 'utf8' }));
    return { uid: idOf('-u'), gid: idOf('-g') };
  } catch {
    return {};
  }
}

/** @param folder an empty folder that every user may enter */
export async function startPostgres(folder: string): Promise<PostgresServer> {
  if (!programs) throw new Error('PALIMPSEST_REQUIRE names PostgreSQL, but it is not installed');
  const data = join(folder, 'postgres');
  mkdirSync(data, { mode: 0o700 });
  if (user.uid !== undefined && user.gid !== undefined) chownSync(data, user.uid, user.gid);
  const program = (name: string): string => join(programs, name);
  execFileSync(program('initdb'), ['-D', data, '-U', 'postgres', '--auth=trust', '--no-sync', '--encoding=UTF8'], {
    ...user,
    cwd: data,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const port = await freePort();
  let server: ChildProcess;
  const start = async (): Promise<void> => {
    const child = spawn(
      program('postgres'),
      ['-D', data, '-p', String(port), '-c', 'listen_addresses=127.0.0.1', '-k', data],
      { ...user, cwd: data, stdio: ['ignore', 'ignore', 'pipe'] },
    );
    server = child;
    await new Promise<void>((resolve, reject) => {
      let said = '';
      child.on('error', reject);
      child.on('exit', (code) => reject(new Error(`postgres ended with ${code}: ${said}`)));
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        said = (said + text).slice(-4_000);
        if (said.includes('ready to accept connections')) resolve();
      });
    });
  };
  await start();
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    start,
    async stop() {
      if (server.exitCode !== null || server.signalCode !== null) return;
      const ended = new Promise((resolve) => server.once('exit', resolve));
      server.kill('SIGINT');
      await ended;
    },
  };
}
