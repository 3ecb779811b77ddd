import { count } from '@palimpsest/command-line/count';
import { legend } from '../comparison/page/legend.ts';
import type { ConversationStats } from '../conversations/conversation-stats.ts';

/** Explains the bars. */
export const requestLegend: string = legend([
  ['kept', 'sent'],
  ['dropped', 'not sent'],
]);

/** Requests that a chart has room for, at least. Few bars would be very wide. */
const minRequests = 60;

/**
 * A bar for each request: what was sent, and above it what was not. The height is the window, or the largest prompt; a
 * line is at the window if it is lower.
 */
export function requestChart({ requests, sizes }: Pick<ConversationStats, 'requests' | 'sizes'>): string {
  const window = sizes.at(-1)?.windowTokens ?? 0;
  const height = Math.max(1, window, ...sizes.map(({ originalTokens }) => originalTokens));
  const percent = (share: number): string => `${Number((share * 100).toFixed(2))}%`;
  // Only the newest sizes are kept.
  const first = requests - sizes.length + 1;
  const wide = 1 / Math.max(minRequests, sizes.length);
  const bars = sizes.map(({ tokens, originalTokens }, at) => {
    const box = `x="${percent(at * wide)}" width="${percent(wide)}"`;
    const [sent, whole] = [tokens / height, originalTokens / height];
    const title = `<title>request ${count(first + at)}: ${count(tokens)} tokens sent, ${count(originalTokens - tokens)} not sent</title>`;
    const notSent =
      whole > sent ? `<rect class="dropped" ${box} y="${percent(1 - whole)}" height="${percent(whole - sent)}"/>` : '';
    return `<g>${title}${notSent}<rect class="kept" ${box} y="${percent(1 - sent)}" height="${percent(sent)}"/></g>`;
  });
  const line =
    window > 0 && window < height
      ? `<line x1="0" x2="100%" y1="${percent(1 - window / height)}" y2="${percent(1 - window / height)}"/>`
      : '';
  return `<h3>Prompt size of each request</h3>\n<svg class="strip chart" role="img" aria-label="Prompt size of each request: sent, and above it not sent">${bars.join('')}${line}</svg>`;
}
