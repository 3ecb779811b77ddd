/** A program that runs another command, such as `sudo`. The inner command is what counts. */
export interface Wrapper {
  readonly programs: readonly string[];
  /** Subcommands, one of which is required. @default no subcommand is required */
  readonly subcommands?: readonly string[];
  /** Options that take the next word as their value. */
  readonly valued?: readonly string[];
  /** Number of arguments before the command, such as a container's name. @default 0 */
  readonly skipped?: number;
  /** Options after which the command begins, if it is not the first argument. */
  readonly behind?: readonly string[];
  /** True if the command works on other files, for example in a container. */
  readonly elsewhere?: true;
}

/** All known wrappers. The first that matches counts. */
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
