import { count, formatCount } from '@palimpsest/command-line/count';
import { printable } from '@palimpsest/command-line/printable';
import { pageFoot, pageHead } from '@palimpsest/eval/page/page';
import { shareableText } from '@palimpsest/eval/page/shareable-text';
import { contentSecurityPolicy } from '@palimpsest/eval/page/style';
import { createTokenCounter } from '@palimpsest/tokens';
import { dollars } from '../comparison/dollars.ts';
import { outcomeLegend, roleLegend } from '../comparison/page/legend.ts';
import { outcomeStrip, outputStrip } from '../comparison/page/strip.ts';
import type { Conversation, ShownRequest } from '../conversations/conversation.ts';
import type { ConversationStats } from '../conversations/conversation-stats.ts';
import type { ProblemLog } from '../proxy/problem-log.ts';
import { requestChart, requestLegend } from './request-chart.ts';
import { compactionWords } from './trigger-words.ts';

/** The strips of each request. A page that is loaded again shows most of them again. */
const drawn = new WeakMap<ShownRequest, string>();

const headings = ['compaction', 'tokens before', 'after', 'messages before', 'after'];

/** Scripts and other hosts are blocked, and the page cannot be shown in a frame. */
export const statusPagePolicy: string = `${contentSecurityPolicy}; frame-ancestors 'none'`;

/** Path of the page without automatic reload. */
export const pausedPath = '/?paused';

/** What the page shows of the proxy itself. */
export interface ProxyStatus {
  /** The name of the engine. */
  readonly engine: string;
  /** Where requests go. */
  readonly addresses: string;
  readonly problems: Pick<ProblemLog, 'summary'>;
}

type ShownConversation = Pick<Conversation, 'stats' | 'shown'>;

/** A page about the conversations of a proxy. It shows sizes and counts, and no text of a conversation. */
export function statusPage(
  conversations: readonly ShownConversation[],
  { engine, addresses, problems }: ProxyStatus,
  isLive: boolean,
): string {
  const sections = conversations.map(section);
  return [
    pageHead('Proxy', printable(`Engine: ${engine}, ${addresses}`, 600)),
    ...problems.summary.map((problem) => `<p class="verdict">${shareableText(sentence(problem))}</p>`),
    isLive
      ? `<p>This page is loaded again every few seconds. <a href="${pausedPath}">Pause</a></p>`
      : '<p>This page is paused. <a href="/">Show live</a></p>',
    ...(sections.length > 0 ? [requestLegend, roleLegend, outcomeLegend] : [nothingYet]),
    ...sections,
    pageFoot,
  ].join('\n');
}

function sentence(text: string): string {
  return `${text[0]!.toUpperCase()}${text.slice(1)}.`;
}

const nothingYet = '<p>No conversation yet. Short requests without tools are passed on and not listed.</p>';

function section({ stats, shown }: ShownConversation): string {
  const agent = printable(stats.agent, 60) || 'unknown agent';
  const heading = `${agent}, ${printable(stats.model, 60)}`;
  return [
    `<section><h2>${shareableText(heading)}</h2>`,
    `<p class="verdict">${conversationWords(stats)}</p>`,
    `<p>${shareableText(`Conversation ${printable(stats.id, 8)}, ${formatCount(stats.requests, 'request')}${stats.isHeldOut ? '; held out: compacted only when it must be' : ''}`)}</p>`,
    requestChart(stats),
    shown ? conversationStrips(shown) : '',
    compactionTable(stats.compactions),
    '</section>',
  ].join('\n');
}

/** The compactions of a conversation, oldest first. */
function compactionTable(compactions: ConversationStats['compactions']): string {
  if (compactions.length === 0) return '';
  const head = headings.map((heading) => `<th scope="col">${heading}</th>`).join('');
  const rows = compactions.map((record) => {
    const { tokensBefore, tokensAfter, messagesBefore, messagesAfter } = record;
    const figures = [tokensBefore, tokensAfter, messagesBefore, messagesAfter];
    return `<tr><th scope="row">${shareableText(compactionWords(record))}</th>${figures.map((figure) => `<td>${count(figure)}</td>`).join('')}</tr>`;
  });
  return `<div class="wide" tabindex="0" role="region" aria-label="Compactions"><table><thead><tr>${head}</tr></thead><tbody>${rows.join('')}</tbody></table></div>`;
}

/** The history of a conversation by outcome, and below it the last request by role. */
function conversationStrips(shown: ShownRequest): string {
  const known = drawn.get(shown);
  if (known !== undefined) return known;
  const { history, request } = shown;
  const counted = { messages: history, tokens: createTokenCounter() };
  const applied = { messages: request.messages, provenance: request.info.provenance };
  const strips = `<h3>The last request</h3>\n${outcomeStrip(counted, applied, 'history', null)}${outputStrip(counted, applied, 'request')}`;
  drawn.set(shown, strips);
  return strips;
}

/** What the proxy did for a conversation, in sentences of HTML. Only figures that were counted are in them. */
export function conversationWords({
  compactions,
  savedTokens,
  cost,
  cachedShare,
  sizes,
}: Pick<ConversationStats, 'compactions' | 'savedTokens' | 'cost' | 'cachedShare' | 'sizes'>): string {
  const last = sizes.at(-1);
  const window = last && last.windowTokens > 0 ? ` of ${count(last.windowTokens)}` : '';
  const cached = cachedShare === null ? '' : `, ${Math.round(cachedShare * 100)}% of it from the cache`;
  const now = last ? ` The prompt has ${count(last.tokens)}${window} tokens${cached}.` : '';
  if (compactions.length === 0) return `Not compacted yet.${now}`;
  const times = compactions.length === 1 ? 'once' : `${count(compactions.length)} times`;
  return `Compacted <strong>${times}</strong>: <strong>${count(Math.max(0, savedTokens))}</strong> prompt tokens were not sent${costWords(cost)}.${now}`;
}

function costWords(cost: ConversationStats['cost']): string {
  if (!cost) return ' (cost unknown)';
  const saved = cost.uncompacted - cost.paid;
  return saved >= 0
    ? `, about <strong>${dollars(saved)}</strong> at list prices`
    : `, which cost about <strong>${dollars(-saved)}</strong> more at list prices`;
}
