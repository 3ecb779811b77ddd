#!/usr/bin/env node
import { interruptionOf } from '@palimpsest/command-line/interruption';
import { processTerminal } from '@palimpsest/command-line/terminal';
import { runProgram } from './cli/program.ts';

const arguments_ = process.argv.slice(2);
// While an engine or a module computes, no handler can run, so the system ends the process. A command has to be ended with
// this process, which is free to handle the signal while it waits.
const runsCommands = arguments_.some((argument) => /^--command(?:=|$)/.test(argument));

void runProgram(arguments_, processTerminal(interruptionOf(process, runsCommands ? 500 : null)));
