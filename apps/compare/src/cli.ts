#!/usr/bin/env node
import { runProgram } from './program.ts';
import { processTerminal } from './terminal.ts';

/** How long a command may take to notice that it is not wanted any more; one that waits for input never does. */
const graceMs = 500;
const interruption = new AbortController();

// The first Ctrl-C lets the command clean up behind itself; a second ends the process at once.
for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)
  process.once(signal, () => {
    interruption.abort();
    setTimeout(() => process.exit(code), graceMs).unref();
  });

// A reader that has seen enough, such as `head`, is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? 0 : 1);
});

await runProgram(process.argv.slice(2), processTerminal(interruption.signal));
