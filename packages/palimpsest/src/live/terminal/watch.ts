import { emitKeypressEvents } from 'node:readline';
import type { ReadStream, WriteStream } from 'node:tty';
import type { Terminal } from '@palimpsest/command-line/terminal';
import { type Key, readKey } from './keyboard.ts';
import { actOn, readLiveViews, searchIn } from './proxies.ts';
import { findSelected, type ScreenState, screen } from './screen.ts';

const refreshMs = 1000;

/** The other screen of the terminal, so that the user's own comes back at the end; and no cursor. */
const [enter, leave] = ['\u001b[?1049h\u001b[?25l', '\u001b[?25h\u001b[?1049l'];

/** Shows the live view until the user quits, or a signal ends it. Keys act on the selected conversation. */
export async function watch(
  { home, colours, signal }: Pick<Terminal, 'home' | 'colours' | 'signal'>,
  input: ReadStream,
  output: WriteStream,
): Promise<void> {
  let state: ScreenState = { view: await readLiveViews(home), selected: null, said: null, query: null };
  const draw = (): void => {
    const lines = screen(state, output.columns, colours, true)
      .split('\n')
      .slice(0, output.rows - 1);
    // Each line clears its rest, so that nothing flickers.
    output.write(`\u001b[H${lines.map((line) => `${line}\u001b[K`).join('\r\n')}\u001b[J`);
  };
  const show = (change: Partial<ScreenState>): void => {
    state = { ...state, ...change };
    draw();
  };
  const ask = (words: string, answer: Promise<string>): void => {
    show({ said: words, query: null });
    void answer
      .catch((error: Error) => error.message)
      .then(async (said) => show({ said, view: await readLiveViews(home) }));
  };
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => void readLiveViews(home).then((view) => show({ view })), refreshMs);
    const onKey = (_: string | undefined, key: Key): void => {
      const result = readKey(state, key);
      const chosen = findSelected(state);
      if (result.do === 'quit') end();
      else if (result.do === 'show') show(result.state);
      else if (result.do === 'act') ask(`${result.name} ...`, actOn(chosen!, result.name));
      else ask(`Searching for ${result.query} ...`, searchIn(chosen!, result.query));
    };
    const end = (): void => {
      clearInterval(timer);
      input.off('keypress', onKey).setRawMode(false).pause();
      output.off('resize', draw).write(leave);
      resolve();
    };
    emitKeypressEvents(input);
    input.setRawMode(true).resume().on('keypress', onKey);
    output.on('resize', draw).write(enter);
    signal.addEventListener('abort', end, { once: true });
    draw();
  });
}
