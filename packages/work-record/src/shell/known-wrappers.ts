/** A program that runs another, which is looked through. */
export interface Wrapper {
  readonly programs: readonly string[];
  /** Subcommands, of which one is given. @default none is needed */
  readonly subcommands?: readonly string[];
  /** Its options that take a value as the next word. */
  readonly valued?: readonly string[];
  /** Number of arguments before the command, such as the container. @default 0 */
  readonly skipped?: number;
  /** The option behind which the command stands, if it is not the first argument. */
  readonly behind?: readonly string[];
  /** True if the command runs on other files, as in a container. */
  readonly elsewhere?: true;
}

/** The wrappers that are known. The first that fits counts. */
export const wrappers: readonly Wrapper[] = [
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
    elsewhere: true,
  },
  { programs: ['kubectl'], subcommands: ['exec'], behind: ['--'], elsewhere: true },
  { programs: ['mise', 'direnv', 'devbox', 'asdf', 'op', 'doppler', 'infisical'], behind: ['--'] },
  { programs: ['nix', 'nix-shell'], behind: ['-c', '--command'] },
  { programs: ['coverage'], subcommands: ['run'], valued: ['--source', '--omit', '--include', '--rcfile'] },
];
