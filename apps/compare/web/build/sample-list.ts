import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import type { Plugin } from 'vite';

interface Recorded {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly messages: readonly unknown[];
}

const address = 'virtual:samples';

/**
 * Offers the recorded samples as `virtual:samples`: what each is and how large, and its text as a chunk of its own, so
 * that the page loads one without asking any server but its own.
 */
export function sampleList(folder: string): Plugin {
  return {
    name: 'sample-list',
    resolveId: (id) => (id === address ? `\0${address}` : null),
    load(id) {
      if (id !== `\0${address}`) return null;
      const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
      const samples = files.map((file) => {
        const path = join(folder, file);
        this.addWatchFile(path);
        const sample = JSON.parse(readFileSync(path, 'utf8')) as Recorded;
        const { title, description, messages } = sample;
        const about = { file, title, description, messages: messages.length, tokens: tokensOf(messages) };
        return { about, tokens: about.tokens, path };
      });
      samples.sort((a, b) => a.tokens - b.tokens);
      const entries = samples.map(
        ({ about, path }) => `{ ...${JSON.stringify(about)}, load: () => import(${JSON.stringify(`${path}?raw`)}) }`,
      );
      return `export const samples = [${entries.join(',\n')}];`;
    },
  };
}

/** Tokens of the texts a model reads, exactly; what the providers wrap around them is left out. */
function tokensOf(messages: readonly unknown[]): number {
  const texts: string[] = [];
  const gather = (value: unknown, key: string): void => {
    if (typeof value === 'string') {
      if (key === 'content' || key === 'text' || key === 'arguments' || key === 'name') texts.push(value);
    } else if (value !== null && typeof value === 'object') {
      for (const [name, inside] of Object.entries(value)) gather(inside, Array.isArray(value) ? key : name);
    }
  };
  gather(messages, '');
  return texts.reduce((sum, text) => sum + countTokens(text), 0);
}
