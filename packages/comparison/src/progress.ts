import { printable } from '@palimpsest/command-line/printable';
import type { Terminal } from '@palimpsest/command-line/terminal';

/** A status line on standard error. It is cleared before a result is written. */
export interface Progress {
  say(text: string): void;
  clear(): void;
}

export function createProgress(terminal: Terminal): Progress {
  let shown = false;
  const clear = (): void => {
    if (shown) terminal.err('\r\u001b[2K');
    shown = false;
  };
  return {
    say(text) {
      if (!terminal.progress) return;
      clear();
      terminal.err(printable(text, 78));
      shown = true;
    },
    clear,
  };
}
