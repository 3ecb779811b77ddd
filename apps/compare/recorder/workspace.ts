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

/** Where the recordings say that everything happened. */
const NEUTRAL_HOME = '/home/dev';
const NEUTRAL_HOST = 'devbox';
const NEUTRAL_NODE = '/usr/bin/node';

/** What the recordings say instead of this machine's names. */
export const NEUTRAL_NAMES: ReadonlySet<string> = new Set([NEUTRAL_HOME, NEUTRAL_HOST, NEUTRAL_NODE, 'localhost']);

/** How a command ended: `exitCode` is null when it was killed because its time was up. */
export interface CommandEnd {
  readonly output: string;
  readonly exitCode: number | null;
}

/**
 * A home folder of its own for one session, below the system's temporary folder. Commands run there with an
 * environment that holds nothing of the machine's, and a git that reads no configuration and dates its commits by
 * the session's own clock, so that a second recording has the same commit hashes.
 */
export class Workspace {
  readonly project: string;
  readonly #root: string;
  readonly #home: string;
  #seconds: number;

  /** @param startedAt the session's first moment, as an ISO date. */
  constructor(project: string, startedAt: string) {
    this.#root = realpathSync(mkdtempSync(join(tmpdir(), 'recorder-')));
    this.#home = join(this.#root, 'home');
    this.project = join(this.#home, project);
    this.#seconds = Date.parse(startedAt) / 1000;
    mkdirSync(this.project, { recursive: true });
    mkdirSync(join(this.#root, 'tmp'));
  }

  /** Lets the session's clock go on; only commit dates read it. */
  pass(seconds: number): void {
    this.#seconds += seconds;
  }

  /** The real file that a path of the transcript, relative to the project or below `/home/dev`, stands for. */
  locate(path: string): string {
    return resolve(this.project, this.real(path));
  }

  /** Text of the transcript, with its home and temporary folder replaced by the real ones. */
  real(text: string): string {
    // In one pass: the real home may itself lie below /tmp.
    return text.replace(/(?<![\w/.-])\/(?:home\/dev|tmp)(?![\w.-])/g, (path) =>
      path === NEUTRAL_HOME ? this.#home : join(this.#root, 'tmp'),
    );
  }

  /** Output of this machine, with its folders, its name, Node's path and process ids replaced by neutral ones. */
  neutral(text: string): string {
    return text
      .replaceAll(this.#home, NEUTRAL_HOME)
      .replaceAll(join(this.#root, 'tmp'), '/tmp')
      .replaceAll(process.execPath, NEUTRAL_NODE)
      .replaceAll(hostname(), NEUTRAL_HOST)
      .replace(/\(node:\d+\)/g, '(node:4242)');
  }

  /** Runs a shell command in the project, both outputs into one file, in the order in which they were written. */
  async run(command: string, timeoutMs = 120_000): Promise<CommandEnd> {
    const file = join(this.#root, 'output');
    const descriptor = openSync(file, 'w');
    const child = spawn('bash', ['-c', this.real(command)], {
      cwd: this.project,
      env: this.#environment(),
      stdio: ['ignore', descriptor, descriptor],
      detached: true,
    });
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      // The command's whole group: a hung test leaves children behind.
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    }, timeoutMs);
    const exitCode = await new Promise<number | null>((done, failed) => {
      child.on('error', failed);
      child.on('close', done);
    });
    clearTimeout(timer);
    closeSync(descriptor);
    return { output: this.neutral(readFileSync(file, 'utf8')), exitCode: late ? null : exitCode };
  }

  /** Writes a file of the project without recording it: what lies there before the session. */
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
