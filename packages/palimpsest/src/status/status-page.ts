import { createHash } from 'node:crypto';
import { count } from '@palimpsest/command-line/count';
import { printable } from '@palimpsest/command-line/printable';
import type { ConversationStats } from '../conversations/conversation-stats.ts';

const style = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
section { margin: 2rem 0; }
svg { width: 100%; height: 6rem; background: light-dark(#f4f4f5, #27272a); }
.sent { fill: light-dark(#2563eb, #60a5fa); }
.saved { fill: light-dark(#cbd5e1, #52525b); }
table { border-collapse: collapse; }
td, th { padding: 0 1rem 0 0; text-align: right; font-variant-numeric: tabular-nums; }
th:first-child, td:first-child { text-align: left; }
`;

/** Scripts and other hosts are blocked; the page's own style is allowed by its hash. */
export const statusPagePolicy: string = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`;

/** A page about the conversations of a proxy. It shows sizes and counts, and no text of a conversation. */
export function statusPage(conversations: readonly ConversationStats[], title: string): string {
  const sections = conversations.map(section).join('\n');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="refresh" content="5">
<title>palimpsest proxy</title>
<style>${style}</style>
</head>
<body>
<h1>palimpsest proxy</h1>
<p>${escaped(printable(title))}</p>
${sections || '<p>No conversation yet. Short requests without tools are passed on and not listed.</p>'}
</body>
</html>
`;
}

function section({
  id,
  agent,
  model,
  requests,
  sizes,
  compactions,
  savedTokens,
  cachedShare,
}: ConversationStats): string {
  const last = sizes.at(-1);
  const window = last?.windowTokens ? ` of ${count(last.windowTokens)}` : '';
  const cached = cachedShare === null ? '' : `, ${Math.round(cachedShare * 100)} % of the last prompt from the cache`;
  return `<section>
<h2>${escaped(printable(agent, 60) || 'unknown agent')}, ${escaped(printable(model, 60))}</h2>
<p>Conversation ${escaped(printable(id, 8))}: ${count(requests)} requests, ${compactions.length} compactions, ${count(savedTokens)} prompt tokens saved. Now ${count(last?.tokens ?? 0)} tokens${window}${cached}.</p>
${chart(sizes)}
${table(compactions)}
</section>`;
}

/** A bar for each request: what was sent, and above it what was saved. The height is the window, or the largest prompt. */
function chart(sizes: ConversationStats['sizes']): string {
  const height = Math.max(
    1,
    ...sizes.map(({ originalTokens, windowTokens }) => Math.max(originalTokens, windowTokens)),
  );
  const bars = sizes.map(({ tokens, originalTokens }, at) => {
    const [sent, whole] = [tokens, originalTokens].map((value) => Math.round((value / height) * 1_000));
    return `<rect class="saved" x="${at * 10}" y="${1_000 - whole!}" width="8" height="${whole! - sent!}"/><rect class="sent" x="${at * 10}" y="${1_000 - sent!}" width="8" height="${sent}"/>`;
  });
  const label = 'Prompt size of each request: sent, and saved above it';
  return `<svg role="img" aria-label="${label}" viewBox="0 0 ${Math.max(60, sizes.length) * 10} 1000" preserveAspectRatio="none">${bars.join('')}</svg>`;
}

function table(compactions: ConversationStats['compactions']): string {
  if (compactions.length === 0) return '';
  const rows = compactions.map(
    ({ trigger, tokensBefore, tokensAfter, messagesBefore, messagesAfter }) =>
      `<tr><td>${escaped(trigger)}</td><td>${count(tokensBefore)}</td><td>${count(tokensAfter)}</td><td>${count(messagesBefore)}</td><td>${count(messagesAfter)}</td></tr>`,
  );
  return `<table><tr><th>compaction</th><th>tokens before</th><th>after</th><th>messages before</th><th>after</th></tr>${rows.join('')}</table>`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
