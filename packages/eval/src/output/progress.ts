import { wrapText } from '@palimpsest/command-line/plain-table';
import { printable } from '@palimpsest/command-line/printable';
import type { Terminal } from '@palimpsest/command-line/terminal';

/** A status line on standard error. It is cleared before a result is written. */
export interface Progress {
  say(text: string): void;
  clear(): void;
}

/** Shows nothing if standard error is not a terminal. */
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
      // One line of an 80-column terminal: only that is cleared.
      terminal.err(wrapText(printable(text), 78).split('\n')[0]!);
      shown = true;
    },
    clear,
  };
}
