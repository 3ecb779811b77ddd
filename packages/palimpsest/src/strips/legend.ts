import { shareableText } from '@palimpsest/eval/page/shareable-text';
import { outcomeWords } from './strip-blocks.ts';

/** Explains the colours of a strip by role. */
export const roleLegend: string = legend([
  ['system', 'system'],
  ['user', 'user'],
  ['assistant', 'assistant'],
  ['tool', 'tool result'],
  ['inserted', 'written by the engine'],
]);

/** Explains the colours of a strip by outcome. */
export const outcomeLegend: string = legend(Object.entries(outcomeWords));

/** Explains colours. */
export function legend(entries: readonly (readonly [look: string, words: string])[]): string {
  const items = entries.map(
    ([look, words]) =>
      `<li><svg aria-hidden="true"><rect class="${look}" width="100%" height="100%"/></svg>${shareableText(words)}</li>`,
  );
  return `<ul class="legend">${items.join('')}</ul>`;
}
