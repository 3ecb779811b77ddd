import { counted } from '@palimpsest/command-line/count';
import { printable } from '@palimpsest/command-line/printable';
import { pageFoot, pageHead } from '@palimpsest/eval/page/page';
import { shareableText } from '@palimpsest/eval/page/shareable-text';
import { contentSecurityPolicy } from '@palimpsest/eval/page/style';
import { outcomeLegend, roleLegend } from '../comparison/page/legend.ts';
import type { Conversation } from '../conversations/conversation.ts';
import type { ProblemLog } from '../proxy/problem-log.ts';
import { compactionTable } from './compaction-table.ts';
import { conversationStrips } from './conversation-strips.ts';
import { conversationWords } from './conversation-words.ts';
import { requestChart, requestLegend } from './request-chart.ts';

/** Scripts and other hosts are blocked, and the page cannot be shown in a frame. */
export const statusPagePolicy: string = `${contentSecurityPolicy}; frame-ancestors 'none'`;

/** Where the page does not load again by itself. */
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
    `<p>${shareableText(`Conversation ${printable(stats.id, 8)}, ${counted(stats.requests, 'request')}`)}</p>`,
    requestChart(stats),
    shown ? conversationStrips(shown) : '',
    compactionTable(stats.compactions),
    '</section>',
  ].join('\n');
}
