#!/usr/bin/env node
import { interruptionOf } from '@palimpsest/command-line/interruption';
import { runProgram } from './cli/program.ts';
import { processTerminal } from './cli/terminal.ts';

// A run puts its journal in order before it ends.
const interruption = interruptionOf(process, 3_000);

void runProgram(process.argv.slice(2), processTerminal(interruption)).then((code) => {
  process.exitCode = code;
  // Everything is in order; connections that still wait for an answer are not waited for.
  if (interruption.aborted) process.exit();
  // Standard input may still be open, and nobody wants the rest of it.
  process.stdin.unref?.();
});
