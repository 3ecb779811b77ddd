#!/usr/bin/env node
import { interruptionOf } from '@palimpsest/command-line/interruption';
import { runProgram } from './program.ts';
import { processTerminal } from './terminal.ts';

await runProgram(process.argv.slice(2), processTerminal(interruptionOf(process, 500)));
