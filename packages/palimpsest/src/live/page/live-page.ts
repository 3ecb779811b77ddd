import { formatCount } from '@palimpsest/command-line/count';
import { shareableText } from '@palimpsest/eval/page/shareable-text';
import type { LiveConversation, LiveView } from '../live-view.ts';
import { agoWords } from '../words.ts';
import { conversationSection } from './conversation-section.ts';
import { frame } from './frame.ts';

/** The page with all conversations, the newest first. */
export function livePage(view: LiveView, token: string): string {
  const content = [
    about(view),
    ...view.conversations.map((one) => conversationSection(one, view, { token, isAlone: false })),
    view.conversations.length === 0
      ? '<p class="verdict">No conversation yet. Short requests without tools are passed on and not listed.</p>'
      : '',
    `<details id="about"><summary>About this proxy</summary><p>${shareableText(`Engine: ${view.engine}. ${view.addresses}`)}</p><p>Nothing that this page shows is stored. It has no text of a conversation: that is shown, with secrets masked, when you click a block, and only on this machine. The page is loaded again every two seconds.</p></details>`,
  ];
  return frame('Palimpsest, live view', content.join('\n'), true);
}

/** The page of one conversation, with all its messages. */
export function conversationPage(view: LiveView, token: string): string {
  const [conversation] = view.conversations;
  const content = [
    '<nav><a href="/">All conversations</a></nav>',
    about(view),
    conversationSection(conversation!, view, { token, isAlone: true }),
    messageList(conversation!, view.now),
  ];
  return frame('Palimpsest, live view', content.join('\n'), true);
}

/** What the page shows, and problems of the proxy. */
function about({ problems, isObserving }: LiveView): string {
  const what = 'What the model gets of each conversation, and what Palimpsest left out of it.';
  const lines = isObserving ? ['Observing: nothing is changed. This is what would be done.', ...problems] : problems;
  return [`<p>${what}</p>`, ...lines.map((line) => `<p class="verdict">${shareableText(line)}</p>`)].join('\n');
}

/** Links to all messages, for a keyboard: the blocks are small. */
function messageList({ id, now, left, lastUsed }: LiveConversation, time: number): string {
  const gone = new Map(left.map((block) => [block.message, block]));
  const held = new Map(now.map((block) => [block.message, block]));
  const messages = [...new Set([...gone.keys(), ...held.keys()])].filter((at) => at !== null).sort((a, b) => a - b);
  const rows = messages.map((at) => {
    const words = [held.get(at)?.words, gone.get(at)?.words].filter((one) => one !== undefined).join('; ');
    return `<li><a href="/live/${id}/messages/${at}">${shareableText(words)}</a></li>`;
  });
  return `<details id="messages"><summary>${formatCount(messages.length, 'message')} of the agent's history, with the last request ${agoWords(lastUsed, time)}</summary><ul class="plain">${rows.join('')}</ul></details>`;
}
