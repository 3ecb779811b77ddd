#!/usr/bin/env node
import { abortOnInterruption } from '@palimpsest/command-line/interruption';
import { runProgram } from './program.ts';

// There is nothing to clean up after an interruption.
abortOnInterruption(process, 0);

void runProgram(process.argv.slice(2), {
  stdin: process.stdin,
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
}).then((code) => {
  process.exitCode = code;
});
