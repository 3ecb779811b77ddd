import { shareableText } from '@palimpsest/eval/page/shareable-text';
import type { LiveConversation } from '../live-view.ts';
import { clockTime } from '../words.ts';

/** Forms for what a user can do with a conversation, and what came of the last one. @param token proves that this page sends them */
export function buttons({ id, history, mode, notice, title }: LiveConversation, token: string): string {
  const button = (action: string, words: string, explanation: string): string =>
    `<form method="post" action="/live/${id}/${action}"><input type="hidden" name="token" value="${token}"><button id="${action}-${id}" title="${explanation}">${words}</button></form>`;
  const holding =
    mode === 'paused'
      ? button('resume', 'Resume', 'Compact automatically again')
      : mode === 'automatic'
        ? button('pause', 'Pause', 'Pass it on as it is until it must be compacted')
        : '';
  const said = notice ? `<p role="status">${shareableText(`${clockTime(notice.at)}: ${notice.words}`)}</p>` : '';
  return `<div class="actions" role="group" aria-label="${shareableText(title)}">
${button('compact', 'Compact now', 'Compact it, whatever its size')}
${history.length > 0 ? button('undo', 'Undo', 'Undo the last compaction, and pause') : ''}
${holding}
<form method="get" action="/live/${id}/search"><input type="search" name="query" required placeholder="in the whole conversation" aria-label="Search the whole conversation"><button>Search</button></form>
</div>${said}`;
}
