import { defineMessageReader, separateQuotes } from '../src/authoring.ts';
import type { MessageReader } from '../src/index.ts';

/** A reader for tests. It knows one harness, whose texts begin with `OBSERVATION:` or `<returncode>`. */
export const harnessReader: MessageReader = defineMessageReader({
  readForeignHandoff: () => null,
  separateText(text) {
    const quotes = separateQuotes(text);
    const isHarness = /^(?:OBSERVATION:|<returncode>)/.test(quotes.own.trim());
    return isHarness ? { own: '', quoted: [text], observed: true } : quotes;
  },
});
