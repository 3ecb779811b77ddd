#!/usr/bin/env node
import { runProgram } from './cli/program.ts';
import { processTerminal } from './cli/terminal.ts';

/** How long a command may take to leave its work in order. */
const graceMs = 3_000;
const interruption = new AbortController();

// The first Ctrl-C lets a run put its journal in order; a second ends the process at once.
for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)
  process.once(signal, () => {
    interruption.abort(new Error(`interrupted by ${signal}`));
    setTimeout(() => process.exit(code), graceMs).unref();
  });

// A reader that has seen enough, such as `head`, is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

void runProgram(process.argv.slice(2), processTerminal(interruption.signal)).then((code) => {
  process.exitCode = code;
  // Everything is in order; connections that still wait for an answer are not waited for.
  if (interruption.signal.aborted) process.exit();
  // Standard input may still be open, and nobody wants the rest of it.
  process.stdin.unref?.();
});
