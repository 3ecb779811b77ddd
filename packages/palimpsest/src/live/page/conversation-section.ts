import { count } from '@palimpsest/command-line/count';
import { shareableText } from '@palimpsest/eval/page/shareable-text';
import { legend } from '../../strips/legend.ts';
import { strip } from '../../strips/strip.ts';
import type { LiveBlock } from '../blocks.ts';
import type { LiveCompaction, LiveConversation, LiveView } from '../live-view.ts';
import { agoWords, clockTime, modeWords } from '../words.ts';
import { requestChart } from './request-chart.ts';

/** Words for the colours of the two strips. A colour means the same on all pages. */
const lookWords: Readonly<Record<LiveBlock['look'], string>> = {
  system: 'instructions and tools',
  user: 'user',
  assistant: 'assistant',
  tool: 'tool results',
  rewritten: 'shortened results',
  inserted: 'handoff (the summary)',
  kept: 'kept',
  carried: 'kept inside the handoff',
  summarized: 'summarized in the handoff',
  dropped: 'dropped',
};

/** How a section is drawn. */
interface SectionOptions {
  /** Proves that the page sends a form. */
  readonly token: string;
  /** True if the conversation has a page of its own. */
  readonly isAlone: boolean;
}

/** A conversation: what was saved, what its context holds, what left it. */
export function conversationSection(
  conversation: LiveConversation,
  view: LiveView,
  { token, isAlone }: SectionOptions,
): string {
  const { id, title, mode, words, lastUsed } = conversation;
  const state = `${modeWords[mode]}; last request ${agoWords(lastUsed, view.now)}`;
  const heading = isAlone ? shareableText(title) : `<a href="/live/${id}">${shareableText(title)}</a>`;
  return [
    `<section id="c-${id}"><h2>${heading}</h2>`,
    ...words.saved.map((sentence) => `<p class="verdict">${shareableText(sentence)}</p>`),
    `<p>${shareableText(`${state[0]!.toUpperCase()}${state.slice(1)}.`)}</p>`,
    newTrouble(conversation),
    requestChart(conversation),
    `<p>${shareableText(words.context)}</p>`,
    contextStrip(conversation),
    stripOfLeft(conversation),
    conversation.now.some(({ look }) => look === 'inserted')
      ? `<p><a href="/live/${id}/handoff">Read the handoff: what the model wrote, and what rules added</a></p>`
      : '',
    view.isObserving ? '' : buttons(conversation, token),
    compactionTable(conversation),
    troubleList(conversation),
    '</section>',
  ].join('\n');
}

/** What the context holds now, as wide as the window, with the next compaction as a line. */
function contextStrip(conversation: LiveConversation): string {
  const { id, now, sizes, compactsAt } = conversation;
  const { tokens = 0, windowTokens = 0 } = sizes.at(-1) ?? {};
  const scale = Math.max(windowTokens, tokens, compactsAt ?? 0, 1);
  const drawn = strip({
    label: 'What the context holds now',
    blocks: now,
    title: (at) => now[at]!.words,
    link: (at) => linkOf(id, now[at]!),
    scale,
    lines: compactsAt === null ? [] : [compactsAt],
  });
  return `${drawn}${scaleLabels(conversation, scale)}${legendOf(now)}`;
}

/** The next compaction and the window, in words below their places. */
function scaleLabels({ compactsAt, mode, sizes }: LiveConversation, scale: number): string {
  const window = sizes.at(-1)?.windowTokens ?? 0;
  const label = (tokens: number, y: number, words: string): string => {
    const share = tokens / scale;
    return `<text x="${Number((share * 100).toFixed(2))}%" y="${y}" text-anchor="${share > 0.4 ? 'end' : 'start'}">${words}</text>`;
  };
  const next = mode === 'automatic' ? 'next compaction' : 'must be compacted';
  const labels = [
    compactsAt === null ? '' : label(compactsAt, 13, `${next} at ${count(compactsAt)} \u2191`),
    // Below the other label, if they are close.
    window > 0 ? label(window, (compactsAt ?? 0) / scale > 0.7 ? 29 : 13, `window of ${count(window)}`) : '',
  ];
  return `<svg class="scale" aria-hidden="true">${labels.join('')}</svg>`;
}

/** What left the context, on the same scale as long as it fits. */
function stripOfLeft({ id, left: all, words, sizes }: LiveConversation): string {
  if (words.left === null) return '';
  const left = all.filter(({ tokens }) => tokens > 0);
  const whole = left.reduce((sum, { tokens }) => sum + tokens, 0);
  const drawn = strip({
    label: 'What left the context',
    blocks: left,
    title: (at) => left[at]!.words,
    link: (at) => linkOf(id, left[at]!),
    scale: Math.max(whole, sizes.at(-1)?.windowTokens ?? 0),
    look: 'strip left',
  });
  return `<p>${shareableText(words.left)}</p>${drawn}${legendOf(left)}`;
}

function linkOf(id: string, { message, look }: LiveBlock): string | null {
  if (message !== null) return `/live/${id}/messages/${message}`;
  return look === 'inserted' ? `/live/${id}/handoff` : null;
}

/** The colours that a strip has. */
function legendOf(blocks: readonly LiveBlock[]): string {
  const looks = new Set(blocks.map(({ look }) => look));
  return legend(
    (Object.keys(lookWords) as LiveBlock['look'][]).flatMap((look) =>
      looks.has(look) ? [[look, lookWords[look]]] : [],
    ),
  );
}

/** The compactions, the newest first. */
function compactionTable({ id, history }: LiveConversation): string {
  if (history.length === 0) return '';
  const head = ['compaction', 'at', 'tokens before', 'after'].map((heading) => `<th scope="col">${heading}</th>`);
  const rows = history.map(
    ({ at, words, tokensBefore, tokensAfter }) =>
      `<tr><th scope="row">${shareableText(words)}</th><td>${clockTime(at)}</td><td>${count(tokensBefore)}</td><td>${count(tokensAfter)}</td></tr>`,
  );
  return `<details id="t-${id}"><summary>Compactions</summary><div class="wide" id="w-${id}" tabindex="0" role="region" aria-label="Compactions"><table><thead><tr>${head.join('')}</tr></thead><tbody>${rows.join('')}</tbody></table></div></details>`;
}

/** A refusal or failure that no request came after. */
function newTrouble({ sizes, troubles: [newest] }: LiveConversation): string {
  const isNew = newest && newest.at >= (sizes.at(-1)?.at ?? 0);
  return isNew ? `<p class="bad">${shareableText(troubleText(newest))}</p>` : '';
}

function troubleList({ id, troubles }: LiveConversation): string {
  if (troubles.length === 0) return '';
  const rows = troubles.map((one) => `<li>${shareableText(troubleText(one))}</li>`);
  return `<details id="r-${id}"><summary>Refusals and failures</summary><ul class="plain">${rows.join('')}</ul></details>`;
}

function troubleText({ at, words, times }: LiveConversation['troubles'][number]): string {
  return `${clockTime(at)}: ${words}${times > 1 ? ` (${times} times)` : ''}`;
}

/** What the buttons do that their words do not say. */
function explainButtons(last: LiveCompaction | undefined, mode: LiveConversation['mode']): string {
  const tokens = last ? Math.max(0, last.tokensBefore - last.tokensAfter) : 0;
  const sentences = [
    'A compaction takes effect with the next request.',
    ...(last ? [`Undo sends again what the last one left out, about ${count(tokens)} tokens, and pauses.`] : []),
    ...(mode === 'held-out' ? [] : ['While paused, a request is compacted only if it does not fit the window.']),
  ];
  return `<p>${sentences.join(' ')}</p>`;
}

/** Forms for what a user can do with a conversation, and the result of the last one. @param token proves that this page sends them */
function buttons({ id, history, mode, notice, title }: LiveConversation, token: string): string {
  const button = (action: string, words: string): string =>
    `<form method="post" action="/live/${id}/${action}"><input type="hidden" name="token" value="${token}"><button id="${action}-${id}">${words}</button></form>`;
  const holding =
    mode === 'paused'
      ? button('resume', 'Resume compactions')
      : mode === 'automatic'
        ? button('pause', 'Pause compactions')
        : '';
  const last = history.find(({ undone }) => !undone);
  const said = notice ? `<p role="status">${shareableText(`${clockTime(notice.at)}: ${notice.words}`)}</p>` : '';
  return `<div class="actions" role="group" aria-label="${shareableText(title)}">
${button('compact', 'Compact now')}
${last ? button('undo', 'Undo last compaction') : ''}
${holding}
</div>${said}
${explainButtons(last, mode)}
<form class="actions" method="get" action="/live/${id}/search"><label for="query-${id}">Search the whole conversation:</label><input type="search" id="query-${id}" name="query" required><button>Search</button></form>`;
}
