#!/usr/bin/env node
import { interruptionOf } from '@palimpsest/command-line/interruption';
import { runProgram } from './cli/program.ts';
import { processTerminal } from './cli/terminal.ts';

// Enough time to write the journal before the process ends.
const interruption = interruptionOf(process, 3_000);

void runProgram(process.argv.slice(2), processTerminal(interruption)).then((code) => {
  process.exitCode = code;
  // The journal is written; do not wait for open connections.
  if (interruption.aborted) process.exit();
  // Standard input may still be open; do not wait for it.
  process.stdin.unref?.();
});
