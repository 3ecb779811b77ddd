/** A program that runs another, which is looked through. */
interface Wrapper {
  readonly programs: readonly string[];
  /** Subcommands, of which one is given. @default none is needed */
  readonly subcommands?: readonly string[];
  /** Its options that take a value as the next word. */
  readonly valued?: readonly string[];
  /** Number of arguments before the command, such as the container. @default 0 */
  readonly skipped?: number;
  /** The option behind which the command stands, if it is not the first argument. */
  readonly behind?: readonly string[];
}

const wrappers: readonly Wrapper[] = [
  {
    programs: [
      'time',
      'nohup',
      'command',
      'exec',
      'builtin',
      'xvfb-run',
      'caffeinate',
      'dotenv',
      'cross-env',
      'winpty',
    ],
  },
  { programs: ['env'], valued: ['-u', '-C'] },
  { programs: ['sudo', 'doas'], valued: ['-u', '-g'] },
  { programs: ['nice', 'ionice'], valued: ['-n', '-c'] },
  { programs: ['stdbuf'], valued: ['-o', '-e', '-i'] },
  { programs: ['timeout', 'gtimeout'], valued: ['-k', '-s', '--signal', '--kill-after'], skipped: 1 },
  { programs: ['xargs'], valued: ['-n', '-P', '-I', '-L', '-d', '-a'] },
  { programs: ['npx', 'bunx'], valued: ['-p', '--package', '-c', '--prefix', '-w', '--workspace'] },
  { programs: ['npm'], subcommands: ['exec', 'x'], valued: ['-p', '--package', '-w', '--workspace', '--prefix'] },
  {
    programs: ['pnpm', 'yarn'],
    subcommands: ['exec', 'dlx'],
    valued: ['--filter', '-F', '-C', '--dir', '--cwd', '-p'],
  },
  { programs: ['bun'], subcommands: ['x'] },
  {
    programs: ['uv'],
    subcommands: ['run', 'tool run'],
    valued: ['--with', '--extra', '--group', '-p', '--python', '--project', '--directory', '--package', '--env-file'],
  },
  { programs: ['uvx'], valued: ['--from', '--with', '-p', '--python'] },
  {
    programs: ['poetry', 'pipenv', 'pdm', 'rye', 'hatch'],
    subcommands: ['run'],
    valued: ['-C', '-P', '--directory', '--project'],
  },
  { programs: ['conda', 'mamba', 'micromamba'], subcommands: ['run'], valued: ['-n', '-p', '--name', '--prefix'] },
  { programs: ['bundle'], subcommands: ['exec'] },
  { programs: ['bin/rails', 'php', 'ruby', 'coverage'] },
  {
    programs: ['docker', 'podman', 'docker-compose'],
    subcommands: ['compose exec', 'compose run', 'exec', 'run'],
    valued: [
      '-f',
      '--file',
      '-p',
      '--project-name',
      '-e',
      '--env',
      '-u',
      '--user',
      '-w',
      '--workdir',
      '-v',
      '--volume',
      '--name',
      '--network',
      '--entrypoint',
      '--platform',
      '--mount',
      '-p',
      '--env-file',
    ],
    skipped: 1,
  },
  { programs: ['kubectl'], subcommands: ['exec'], behind: ['--'] },
  { programs: ['mise', 'direnv', 'devbox', 'asdf', 'op', 'doppler', 'infisical'], behind: ['--'] },
  { programs: ['nix', 'nix-shell'], behind: ['-c', '--command', '--run'] },
  { programs: ['coverage'], subcommands: ['run'], valued: ['--source', '--omit', '--include', '--rcfile'] },
];

/** Words that stand before a command in the shell's own language. */
const keywords: ReadonlySet<string> = new Set(['if', 'then', 'else', 'elif', 'while', 'until', 'do', '!', '{', 'time']);
const assignment = /^[A-Za-z_]\w{0,80}\+?=/;
const shells: ReadonlySet<string> = new Set(['bash', 'sh', 'zsh', 'dash', 'fish', 'cmd', 'powershell', 'pwsh']);
const python = /^(?:python|pypy|py)(?:\d(?:\.\d{1,2})?)?$/;

/** The name of a program without its folder and its suffix: `./node_modules/.bin/jest` is `jest`. */
export function programName(word: string): string {
  return word.slice(Math.max(word.lastIndexOf('/'), word.lastIndexOf('\\')) + 1).replace(/\.(?:exe|cmd|bat|sh)$/i, '');
}

/** The words without the assignments and keywords in front of the program. */
export function withoutPrefix(words: readonly string[]): readonly string[] {
  let from = 0;
  while (from < words.length && (keywords.has(words[from]!) || assignment.test(words[from]!))) from++;
  return from === 0 ? words : words.slice(from);
}

/** The script that a shell is called with, such as the argument of `bash -c`; `null` if it is not called with one. */
export function nestedScript(words: readonly string[]): string | null {
  if (!shells.has(programName(words[0] ?? ''))) return null;
  const option = words.findIndex((word) => /^-[a-z]{0,4}c$/i.test(word) || word === '/c');
  return option > 0 ? (words[option + 1] ?? null) : null;
}

/** The words of the command that a wrapper runs; `null` if the command is no wrapper. */
export function unwrapped(words: readonly string[]): readonly string[] | null {
  const program = programName(words[0] ?? '');
  if (python.test(program)) return pythonModule(words);
  for (const wrapper of wrappers) {
    if (!wrapper.programs.includes(program)) continue;
    const inner = behindWrapper(words, wrapper);
    if (inner && inner.length > 0) return inner;
  }
  return null;
}

/** `python -m pytest` runs pytest; `python manage.py test` runs `manage.py`. */
function pythonModule(words: readonly string[]): readonly string[] | null {
  for (let at = 1; at < words.length; at++) {
    const word = words[at]!;
    if (word === '-m') return words.slice(at + 1);
    if (word === '-W' || word === '-X') at++;
    else if (!word.startsWith('-')) return words.slice(at);
    else if (word === '-c') return null;
  }
  return null;
}

function behindWrapper(words: readonly string[], wrapper: Wrapper): readonly string[] | null {
  if (wrapper.behind) {
    const mark = words.findIndex((word) => wrapper.behind!.includes(word));
    if (mark < 0) return null;
    // `nix-shell --run "npm test"` has the command in one word.
    return mark === words.length - 2 ? words[mark + 1]!.split(/\s+/) : words.slice(mark + 1);
  }
  let at = afterOptions(words, 1, wrapper.valued);
  if (wrapper.subcommands) {
    const name = wrapper.subcommands.find((one) => one === words.slice(at, at + one.split(' ').length).join(' '));
    if (name === undefined) return null;
    at = afterOptions(words, at + name.split(' ').length, wrapper.valued);
  }
  at += wrapper.skipped ?? 0;
  return withoutPrefix(words.slice(at));
}

/** The index behind the options that begin at an index. */
export function afterOptions(words: readonly string[], from: number, valued: readonly string[] = []): number {
  let at = from;
  while (at < words.length && /^[-+]./.test(words[at]!)) at += valued.includes(words[at]!) ? 2 : 1;
  return at;
}
