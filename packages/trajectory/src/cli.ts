#!/usr/bin/env node
import { abortOnInterruption } from '@palimpsest/command-line/interruption';
import { runProgram } from './cli/program.ts';

// Enough time to write the journal before the process ends.
const signal = abortOnInterruption(process, 3_000);

void runProgram(process.argv.slice(2), signal).then(() => {
  // The journal is written; do not wait for open connections.
  if (signal.aborted) process.exit();
  // Standard input may still be open; do not wait for it.
  process.stdin.unref?.();
});
