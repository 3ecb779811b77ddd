import { failed, passed, type ToolFamily } from '../tool-family.ts';

/** Installation of packages. */
export const packageInstall: ToolFamily = {
  commands: [
    { programs: ['pip', 'pip3', 'pipx'], subcommands: ['install', 'uninstall'] },
    { programs: ['uv'], subcommands: ['sync', 'add', 'lock', 'pip install', 'tool install', 'build', 'remove'] },
    {
      programs: ['poetry', 'pdm', 'pipenv', 'rye'],
      subcommands: ['install', 'add', 'update', 'lock', 'sync', 'build', 'remove'],
    },
    {
      programs: ['npm'],
      subcommands: ['install', 'i', 'ci', 'add', 'publish', 'audit', 'update', 'uninstall', 'pack', 'link'],
      valued: ['--prefix', '-w', '--workspace', '-C'],
    },
    {
      programs: ['pnpm', 'yarn', 'bun'],
      subcommands: ['install', 'i', 'add', 'publish', 'update', 'up', 'remove', 'audit'],
      valued: ['--filter', '-F', '-C', '--dir', '--cwd'],
    },
    {
      programs: ['bundle', 'composer', 'gem', 'brew', 'apt', 'apt-get', 'apk', 'conda', 'mamba', 'dnf', 'yum'],
      subcommands: ['install', 'update', 'add', 'require', 'upgrade'],
    },
  ],
  verdicts: [
    failed(
      /^(?:npm (?:ERR!|error) (?:code|missing|Missing)|ERR_PNPM_\w+|ERROR: (?:Could not|No matching|Failed|Cannot|Package)|error: (?:externally-managed-environment|subprocess-exited|Failed|Distribution)|YN\d{4}: .{0,20}Failed|E: (?:Unable|Package|Could not|Failed))/,
    ),
    failed(/^(?:npm (?:ERR!|error)|error |error: |ERROR: |× |E: )/),
    passed(
      /^(?:Successfully installed |added \d+ packages?|(?:added|removed|changed|updated) \d+ packages? |up to date|Already up to date|Lockfile is up to date|Installed \d+ packages? in|Resolved \d+ packages? in|Audited \d+ packages?|Requirement already satisfied|Done in [\d.]+|success |No dependencies to install or update|➤ YN0000: (?:·|└) Done|Bundle complete!|\+ \S+@\d)/,
    ),
    passed(/^\d+ packages? installed \[/),
  ],
  silent: true,
};
