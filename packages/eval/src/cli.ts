#!/usr/bin/env node
import { interruptionOf } from '@palimpsest/command-line/interruption';
import { processTerminal } from '@palimpsest/command-line/terminal';
import { runProgram } from './cli/program.ts';

void runProgram(process.argv.slice(2), processTerminal(interruptionOf(process, 500)));
