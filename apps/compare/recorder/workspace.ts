import { spawn } from 'node:child_process';
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

/** Names in the recordings in place of those of the recording machine. */
const NEUTRAL_HOME = '/home/dev';
const NEUTRAL_HOST = 'devbox';
const NEUTRAL_NODE = '/usr/bin/node';

/** All names that stand for names of the recording machine. */
export const NEUTRAL_NAMES: ReadonlySet<string> = new Set([NEUTRAL_HOME, NEUTRAL_HOST, NEUTRAL_NODE, 'localhost']);

/** The result of a command. `exitCode` is null if it was killed at its timeout. */
export interface CommandResult {
  readonly output: string;
  readonly exitCode: number | null;
}

/**
 * A home folder for one session, in the system's temporary folder. Commands run there with a clean environment. Git reads
 * no configuration and dates commits by the clock of the session, so that every recording has the same commit hashes.
 */
export class Workspace {
  readonly project: string;
  readonly #root: string;
  readonly #home: string;
  #seconds: number;

  /** @param startedAt when the session starts, as an ISO date */
  constructor(project: string, startedAt: string) {
    this.#root = realpathSync(mkdtempSync(join(tmpdir(), 'recorder-')));
    this.#home = join(this.#root, 'home');
    this.project = join(this.#home, project);
    this.#seconds = Date.parse(startedAt) / 1000;
    mkdirSync(this.project, { recursive: true });
    mkdirSync(join(this.#root, 'tmp'));
  }

  /** Advances the clock of the session, which only commit dates use. */
  advanceClock(seconds: number): void {
    this.#seconds += seconds;
  }

  /** Returns the real path for a path in the transcript, which is relative to the project or below `/home/dev`. */
  locate(path: string): string {
    return resolve(this.project, this.real(path));
  }

  /** Replaces the neutral home and temporary folder in a text of the transcript by the real ones. */
  real(text: string): string {
    // In one pass, because the real home may itself be below /tmp.
    return text.replace(/(?<![\w/.-])\/(?:home\/dev|tmp)(?![\w.-])/g, (path) =>
      path === NEUTRAL_HOME ? this.#home : join(this.#root, 'tmp'),
    );
  }

  /** Replaces folders and name of this machine, Node's path and process ids in an output by neutral ones. */
  neutral(text: string): string {
    return text
      .replaceAll(this.#home, NEUTRAL_HOME)
      .replaceAll(join(this.#root, 'tmp'), '/tmp')
      .replaceAll(process.execPath, NEUTRAL_NODE)
      .replaceAll(hostname(), NEUTRAL_HOST)
      .replace(/\(node:\d+\)/g, '(node:4242)');
  }

  /** Runs a shell command in the project. Both outputs go into one file, so that their order is kept. */
  async run(command: string, timeoutMs = 120_000): Promise<CommandResult> {
    const file = join(this.#root, 'output');
    const descriptor = openSync(file, 'w');
    const child = spawn('bash', ['-c', this.real(command)], {
      cwd: this.project,
      env: this.#environment(),
      stdio: ['ignore', descriptor, descriptor],
      detached: true,
    });
    let isKilled = false;
    const timer = setTimeout(() => {
      isKilled = true;
      // Kills the whole process group, because a test that hangs has child processes.
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    }, timeoutMs);
    const exitCode = await new Promise<number | null>((done, failed) => {
      child.on('error', failed);
      child.on('close', done);
    });
    clearTimeout(timer);
    closeSync(descriptor);
    return { output: this.neutral(readFileSync(file, 'utf8')), exitCode: isKilled ? null : exitCode };
  }

  /** Writes a file of the project before the session starts, without recording it. */
  async put(path: string, content: string): Promise<void> {
    const file = this.locate(path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }

  remove(): void {
    rmSync(this.#root, { recursive: true, force: true });
  }

  #environment(): Record<string, string> {
    const date = `${this.#seconds} +0000`;
    return {
      PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
      HOME: this.#home,
      TMPDIR: join(this.#root, 'tmp'),
      LANG: 'C.UTF-8',
      TZ: 'UTC',
      NO_COLOR: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_PAGER: 'cat',
      GIT_EDITOR: 'true',
      GIT_AUTHOR_NAME: 'Dev',
      GIT_AUTHOR_EMAIL: 'dev@example.com',
      GIT_AUTHOR_DATE: date,
      GIT_COMMITTER_NAME: 'Dev',
      GIT_COMMITTER_EMAIL: 'dev@example.com',
      GIT_COMMITTER_DATE: date,
    };
  }
}
