import { failed, type ToolFamily } from '../tool-family.ts';

/** Package scripts. The tools that they run print the verdict. */
export const packageScript: ToolFamily = {
  commands: [
    {
      programs: ['npm'],
      subcommands: ['run', 'run-script', 'test', 't', 'tst', 'start'],
      target: true,
      valued: ['--prefix', '-w', '--workspace', '-C'],
    },
    {
      programs: ['pnpm'],
      target: true,
      valued: ['--filter', '-F', '-C', '--dir', '--reporter', '--workspace-concurrency'],
    },
    { programs: ['yarn'], target: true, valued: ['--cwd', '--top-level'] },
    { programs: ['bun'], subcommands: ['run'], target: true, valued: ['--filter', '--cwd'] },
    { programs: ['turbo', 'nx', 'lerna'], target: true, valued: ['--filter', '-t', '--target', '-p'] },
    {
      programs: ['vite', 'webpack', 'rollup', 'esbuild', 'next', 'astro', 'nuxt', 'tsdown', 'parcel', 'ng'],
      subcommands: ['build'],
    },
    { programs: ['composer'], subcommands: ['test', 'run-script', 'run'] },
  ],
  verdicts: [
    failed(/^npm (?:ERR!|error) (?:Missing script|missing script|Lifecycle script)/),
    failed(/^(?:ERR_PNPM_\w+|ELIFECYCLE|error Command failed with exit code|error: script "[^"]{1,80}" exited)/),
    failed(/^npm (?:ERR!|error) /),
    failed(/^Failed:\s{1,8}\S+#\S+/),
    failed(
      /^(?:Failed to compile|Build failed|✗ Build failed|Build error occurred|ERROR in |NX\s+(?:Running|Ran) target .{0,100}failed)/,
    ),
    {
      says: 'passed',
      shape:
        /^(?:✓ built in |✔ built in |✓ Compiled successfully|Compiled successfully|built in \d|Done in \d|webpack \S+ compiled successfully|NX\s+Successfully ran target)/,
    },
  ],
  silent: true,
  runsOthers: true,
};
