#!/usr/bin/env node
import { interruptionOf } from '@palimpsest/command-line/interruption';
import { processTerminal } from '@palimpsest/command-line/terminal';
import { runProgram } from './cli/program.ts';

const arguments_ = process.argv.slice(2);
// An engine or a module computes for a long time without a break, so signals are left to the system. Commands have to be
// ended with this process, and while one runs, this process can handle a signal.
const runsCommands = arguments_.some((argument) => /^--command(?:=|$)/.test(argument));

void runProgram(arguments_, processTerminal(interruptionOf(process, runsCommands ? 500 : null)));
