import { createHash } from 'node:crypto';
import { escapeHtml } from '@palimpsest/eval/page/escape';
import { style as commonStyle } from '@palimpsest/eval/page/style';

const style = `${commonStyle}
svg.scale { display: block; width: 100%; height: 32px; overflow: visible; } .scale text, .chart text { font-size: 12px; fill: var(--soft); }
.strip line { stroke: var(--ink); } .strip .mark { stroke-dasharray: 2 3; } .strip.left { height: 16px; }
a { color: var(--ink); } nav { margin-bottom: 8px; } section { border-top: 1px solid var(--line); margin-top: 32px; } section h2 { margin-top: 16px; }
.actions { display: flex; flex-wrap: wrap; gap: 8px; margin: 12px 0; } .actions, .actions form { align-items: center; } .actions form { display: flex; gap: 8px; } p.verdict { margin-bottom: 4px; }
button, input { font: inherit; color: var(--ink); background: var(--raised); border: 1px solid var(--soft); border-radius: 4px; padding: 3px 10px; } button { cursor: pointer; }
a:focus-visible, button:focus-visible, input:focus-visible { outline: 2px solid var(--user); outline-offset: 2px; }
ul.plain { list-style: none; padding: 0; margin: 0 0 12px; } .columns { display: grid; gap: 16px; grid-template-columns: repeat(auto-fit, minmax(min(100%, 340px), 1fr)); }
@media print { .actions { display: none; } svg { print-color-adjust: exact; -webkit-print-color-adjust: exact; } }
`;

/** Loads the page again every two seconds, and keeps what is open, focused or selected. */
const script = `
const refresh = async () => {
  const main = document.querySelector('main');
  const active = document.activeElement;
  if (document.hidden || active instanceof HTMLInputElement || String(getSelection())) return;
  try {
    const text = await (await fetch(location.href)).text();
    const next = new DOMParser().parseFromString(text, 'text/html').querySelector('main');
    for (const { id } of main.querySelectorAll('details[open][id]')) next.querySelector('#' + CSS.escape(id))?.setAttribute('open', '');
    const scrolled = [...main.querySelectorAll('.wide[id]')].map(({ id, scrollLeft }) => [id, scrollLeft]);
    main.replaceWith(next);
    for (const [id, left] of scrolled) document.getElementById(id)?.scrollTo(left, 0);
    if (active?.id) document.getElementById(active.id)?.focus({ preventScroll: true });
  } catch {
    document.querySelector('#proxy').textContent = 'The proxy does not answer any more. This is what it showed last.';
  }
};
setInterval(refresh, 2000);
`;

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Only the style and the script above are allowed, and only this page can use its forms. It cannot be shown in a frame. */
export const livePagePolicy: string = [
  "default-src 'none'",
  `style-src ${hashOf(style)}`,
  `script-src ${hashOf(script)}`,
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** A whole page. @param isLive true if it is loaded again and again */
export function frame(title: string, content: string, isLive: boolean): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${isLive ? '<noscript><meta http-equiv="refresh" content="5"></noscript>\n' : ''}<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
<p id="proxy" class="bad" role="status"></p>
${content}
</main>
${isLive ? `<script>${script}</script>\n` : ''}</body>
</html>
`;
}
