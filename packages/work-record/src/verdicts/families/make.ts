import { failed, passed, type ToolFamily } from '../tool-family.ts';

/** Programs that run a project's targets, such as make. */
export const make: ToolFamily = {
  commands: [
    {
      programs: ['make', 'gmake'],
      target: true,
      valued: ['-C', '-f', '-j', '--directory', '--file'],
      idle: ['-n', '--dry-run', 'help'],
    },
    { programs: ['just', 'task', 'rake', 'invoke', 'doit', 'earthly'], target: true, idle: ['-l', '--list', '-T'] },
    { programs: ['mise', 'poe', 'moon'], subcommands: ['run', 'r'], target: true },
    { programs: ['ninja', 'meson', 'bazel', 'buck2', 'scons'], target: true, valued: ['-C', '-j'] },
    { programs: ['pre-commit', 'lefthook', 'prek'], subcommands: ['run'] },
    { programs: ['nix'], subcommands: ['build', 'flake check'] },
  ],
  verdicts: [
    failed(
      /^(?:g?make(?:\[\d+\])?: \*\*\* |error: Recipe `|task: Failed to run task|ninja: build stopped|rake aborted!|ERROR: Build did NOT complete|\S.{0,80} ERROR task failed$)/,
    ),
    passed(
      /^(?:g?make(?:\[\d+\])?: (?:Nothing to be done for|'[^']{1,100}' is up to date)|ninja: no work to do|INFO: Build completed successfully)/,
    ),
  ],
  failing: [/^(?<name>\S.{0,100}?)\.{3,}.{0,40}Failed$/],
  silent: true,
  runsOthers: true,
};
