#!/usr/bin/env node
import { abortOnInterruption } from '@palimpsest/command-line/interruption';
import { processTerminal } from '@palimpsest/command-line/terminal';
import { maxEndMs } from './commands/end-times.ts';
import { runProgram } from './program.ts';

const arguments_ = process.argv.slice(2);

/** Commands in which an engine computes, for a long time without a break. */
const computing = ['compare', 'compact', 'inspect', 'savings'];

/** Milliseconds that a command may take to end after Ctrl-C. A proxy first finishes the running requests. */
const graceMs = arguments_[0] === 'proxy' ? maxEndMs : computing.includes(arguments_[0] ?? '') ? null : 500;

// These commands pass signals on to another program, which may continue.
const passesSignals = ['run', 'handoff', 'trajectory', 'eval'].includes(arguments_[0] ?? '');
const signal = passesSignals
  ? new AbortController().signal
  : abortOnInterruption(process, graceMs, arguments_[0] === 'proxy');

void runProgram(arguments_, processTerminal(signal));
