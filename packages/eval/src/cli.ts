#!/usr/bin/env node
import { abortOnInterruption } from '@palimpsest/command-line/interruption';
import { processTerminal } from '@palimpsest/command-line/terminal';
import { runProgram } from './cli/program.ts';

// While an engine or a module computes, no handler can run, so the system ends the process.
void runProgram(process.argv.slice(2), processTerminal(abortOnInterruption(process, null)));
