import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

interface Recorded {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly messages: readonly unknown[];
}

const address = 'virtual:samples';

/**
 * Vite plugin that provides the recorded samples as `virtual:samples`: metadata, and the text of each as a separate chunk
 * that is loaded from the page's own server.
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
        const text = readFileSync(path, 'utf8');
        const { title, description, messages } = JSON.parse(text) as Recorded;
        return { about: { file, title, description, messages: messages.length }, size: text.length, path };
      });
      samples.sort((a, b) => a.size - b.size);
      const entries = samples.map(
        ({ about, path }) => `{ ...${JSON.stringify(about)}, load: () => import(${JSON.stringify(`${path}?raw`)}) }`,
      );
      return `export const samples = [${entries.join(',\n')}];`;
    },
  };
}
