import { failed, passed, type ToolFamily } from '../tool-family.ts';

/** Rust compilation, checks and formatting. */
export const cargoBuild: ToolFamily = {
  commands: [
    {
      programs: ['cargo'],
      subcommands: ['build', 'b', 'check', 'c', 'clippy', 'fmt', 'doc', 'bench', 'publish', 'install'],
      valued: ['--manifest-path', '--config', '-Z', '-C', '--color'],
    },
    { programs: ['rustc', 'rustfmt', 'cross', 'trunk', 'wasm-pack'] },
  ],
  verdicts: [
    failed(/^error: (?:could not compile|aborting due to|failed to run custom build)/),
    failed(/^error(?:\[E\d{1,5}\])?: /),
    failed(/^Diff in /),
    passed(/^Finished (?:`|\S+ \[)/),
    passed(/^Finished\b/),
  ],
  failing: [/^--> (?<name>\S{1,250}?:\d+):\d+$/, /^Diff in (?<name>\S{1,250}?)(?::\d+:?| at line \d+:?)$/],
  count: /due to (\d+) previous errors?/,
  silent: true,
};
