import { count } from '@palimpsest/command-line/count';
import { shareableText } from '@palimpsest/eval/page/shareable-text';
import type { ConversationStats } from '../conversations/conversation-stats.ts';
import { compactionWords } from './trigger-words.ts';

const headings = ['compaction', 'tokens before', 'after', 'messages before', 'after'];

/** The compactions of a conversation, oldest first. */
export function compactionTable(compactions: ConversationStats['compactions']): string {
  if (compactions.length === 0) return '';
  const head = headings.map((heading) => `<th scope="col">${heading}</th>`).join('');
  const rows = compactions.map((record) => {
    const { tokensBefore, tokensAfter, messagesBefore, messagesAfter } = record;
    const figures = [tokensBefore, tokensAfter, messagesBefore, messagesAfter];
    return `<tr><th scope="row">${shareableText(compactionWords(record))}</th>${figures.map((figure) => `<td>${count(figure)}</td>`).join('')}</tr>`;
  });
  return `<div class="wide" tabindex="0" role="region" aria-label="Compactions"><table><thead><tr>${head}</tr></thead><tbody>${rows.join('')}</tbody></table></div>`;
}
