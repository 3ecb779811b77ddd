import type { Command } from 'commander';
import type { ExitCode } from './exit-code.ts';
import type { Terminal } from './terminal.ts';

export function addQueueCommands(_program: Command, _terminal: Terminal, _end: (code: ExitCode) => void): void {}
