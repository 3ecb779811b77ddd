import { count } from '@palimpsest/command-line/count';
import type { ConversationStats } from '../../conversations/conversation-stats.ts';
import { legend } from '../../strips/legend.ts';
import { clockTime } from '../words.ts';

const chartLegend = legend([
  ['kept', 'sent'],
  ['dropped', 'not sent'],
]);

/** Requests that a chart has room for, at least. Few bars would be very wide. */
const minRequests = 60;

/** A bar for each request: what was sent, and above it what was not. Lines are the window, and the compactions. */
export function requestChart({
  compactions,
  id,
  requests,
  sizes,
}: Pick<ConversationStats, 'compactions' | 'id' | 'requests' | 'sizes'>): string {
  if (sizes.length < 2) return '';
  const window = sizes.at(-1)!.windowTokens;
  const height = Math.max(1, ...sizes.map(({ originalTokens }) => originalTokens));
  const percent = (share: number): string => `${Number((share * 100).toFixed(2))}%`;
  // Only the newest sizes are kept.
  const first = requests - sizes.length + 1;
  const wide = 1 / Math.max(minRequests, sizes.length);
  const bars = sizes.map(({ at: time, tokens, originalTokens }, at) => {
    const box = `x="${percent(at * wide)}" width="${percent(wide)}"`;
    const [sent, whole] = [tokens / height, originalTokens / height];
    const title = `<title>request ${count(first + at)} at ${clockTime(time)}: ${count(tokens)} tokens sent, ${count(originalTokens - tokens)} not sent</title>`;
    const notSent =
      whole > sent ? `<rect class="dropped" ${box} y="${percent(1 - whole)}" height="${percent(whole - sent)}"/>` : '';
    return `<g>${title}${notSent}<rect class="kept" ${box} y="${percent(1 - sent)}" height="${percent(sent)}"/></g>`;
  });
  const y = percent(1 - window / height);
  const line =
    window > 0 && window < height
      ? `<line x1="0" x2="100%" y1="${y}" y2="${y}"/><text x="4" y="${y}" dy="-4">window</text>`
      : '';
  const marks = compactions.flatMap(({ at: time }) => {
    const next = sizes.findIndex(({ at }) => at >= time);
    // In a gap before the first request that it shortened.
    const x = percent(next * wide);
    return next > 0 ? [`<line class="mark" x1="${x}" x2="${x}" y1="0" y2="100%"/>`] : [];
  });
  const tallest = `The tallest bar has ${count(height)} tokens. `;
  const marked = marks.length > 0 ? 'Dotted lines are compactions. ' : '';
  const words = `${tallest}${marked}${line ? `The dashed line is the window of ${count(window)} tokens. ` : ''}From ${clockTime(sizes[0]!.at)} to ${clockTime(sizes.at(-1)!.at)}.`;
  return `<details id="p-${id}" open><summary>Size of each request</summary>${chartLegend}<svg class="strip chart" role="img" aria-label="Size of each request: sent, and above it not sent">${bars.join('')}${line}${marks.join('')}</svg><p>${words}</p></details>`;
}
