import { escapeHtml } from './escape.ts';
import { contentSecurityPolicy, style } from './style.ts';

/**
 * Start of the page that `--html` writes: one file without scripts or external resources. Sections are written one at a
 * time between {@link pageHead} and {@link pageFoot}, so that only one sample is in memory.
 */
export function pageHead(title: string, explanation: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${contentSecurityPolicy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>Palimpsest: ${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(explanation)}</p>
`;
}

/** End of the page. */
export const pageFoot = '</main>\n</body>\n</html>\n';

/** Start of a page about what engines made of transcripts. */
export const comparisonHead: string = pageHead(
  'Context engines compared',
  'Every block is a message, as wide as its tokens. Hover to see which; click to read it below. Token figures are estimates.',
);
