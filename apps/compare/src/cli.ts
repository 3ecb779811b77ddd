#!/usr/bin/env node
import { runProgram } from './program.ts';
import { processTerminal } from './terminal.ts';

const interruption = new AbortController();

// A second Ctrl-C ends the process at once; the first lets the command clean up behind itself.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interruption.abort());

// A reader that has seen enough, such as `head`, is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? 0 : 1);
});

await runProgram(process.argv.slice(2), processTerminal(interruption.signal));
