#!/usr/bin/env node
import { interruptionOf } from '@palimpsest/command-line/interruption';
import { runProgram } from './cli/program.ts';

// Enough time to write the journal before the process ends.
const signal = interruptionOf(process, 3_000);
const { stdin, stdout, stderr } = process;

void runProgram(process.argv.slice(2), {
  stdin,
  stdout,
  err: (text) => void stderr.write(text),
  bar: stderr.isTTY === true && process.env.TERM !== 'dumb' ? stderr : null,
  signal,
  exit: (code) => {
    process.exitCode = code;
  },
}).then(() => {
  // The journal is written; do not wait for open connections.
  if (signal.aborted) process.exit();
  // Standard input may still be open; do not wait for it.
  stdin.unref?.();
});
