import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { freePort } from './free-port.ts';

/** A Redis server for one test, on a free port. It keeps its data over a restart. */
export interface RedisServer {
  readonly url: string;
  /** Stops it as a shutdown does, or, with `SIGKILL`, as a crash does. */
  stop(signal?: 'SIGTERM' | 'SIGKILL'): Promise<void>;
  start(): Promise<void>;
}

const isPresent = ((): boolean => {
  try {
    execFileSync('redis-server', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();
const isRequired = (process.env.PALIMPSEST_REQUIRE ?? '').split(',').includes('redis');

/** Without Redis, tests are skipped, with a note. `PALIMPSEST_REQUIRE=redis` makes them fail instead. */
export const redisIsMissing = !isPresent && !isRequired;
export const redisNote = redisIsMissing
  ? ' (skipped: redis-server is not installed; on Debian: apt install redis-server)'
  : '';

export async function startRedis(folder: string): Promise<RedisServer> {
  const port = await freePort();
  let server: ChildProcess | null = null;
  const start = async (): Promise<void> => {
    const options =
      `--port ${port} --bind 127.0.0.1 --dir ${folder} --appendonly yes --appendfsync always --save  --daemonize no`.split(
        ' ',
      );
    const child = spawn('redis-server', options, { stdio: ['ignore', 'pipe', 'inherit'] });
    server = child;
    await new Promise<void>((resolve, reject) => {
      let said = '';
      child.on('error', (cause) =>
        reject(new Error('PALIMPSEST_REQUIRE names Redis, but redis-server cannot be started', { cause })),
      );
      child.on('exit', (code) => reject(new Error(`redis-server ended with ${code}: ${said}`)));
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        said = (said + text).slice(-4_000);
        if (said.includes('Ready to accept connections')) resolve();
      });
    });
  };
  await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    start,
    async stop(signal = 'SIGTERM') {
      const running = server;
      if (!running || running.exitCode !== null || running.signalCode !== null) return;
      const ended = new Promise((resolve) => running.once('exit', resolve));
      running.kill(signal);
      await ended;
    },
  };
}
