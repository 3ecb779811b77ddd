import { contentSecurityPolicy, style } from './style.ts';

/**
 * Start of the page that `--html` writes: one file without scripts or external resources. Sections are written one at a
 * time between {@link pageHead} and {@link pageFoot}, so that only one sample is in memory.
 */
export const pageHead = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${contentSecurityPolicy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>Palimpsest: context engines compared</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>Context engines compared</h1>
<p>Every block is a message, as wide as its tokens. Hover to see which; click to read it below. Token figures are estimates.</p>
`;

export const pageFoot = '</main>\n</body>\n</html>\n';
