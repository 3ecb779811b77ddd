import { sha256 } from '@noble/hashes/sha2.js';
import { looks, palette } from './palette.ts';

/** The roles whose messages a reader can show alone: their looks, and their names. */
export const filteredRoles: readonly (readonly [look: string, words: string])[] = [
  ['user', 'user'],
  ['assistant', 'assistant'],
  ['tool', 'tool results'],
];

/** Hides the messages of other roles, but not the one that a link leads to. */
const filters = filteredRoles.map(
  ([look]) =>
    `.messages:has(.show-${look}:checked) details:not(.of-${look}, :has(.of-${look}), :has(:target)) { display: none; }`,
);

/** The page's only style sheet. */
export const style: string = `
${palette}* { box-sizing: border-box; }
body { margin: 0; font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); }
main { max-width: 1200px; margin: 0 auto; padding: 24px 16px 64px; }
h1 { font-size: 24px; margin: 0 0 4px; } h2 { font-size: 19px; margin: 48px 0 0; overflow-wrap: anywhere; } h3 { font-size: 15px; margin: 24px 0 4px; }
p { margin: 4px 0 12px; color: var(--soft); } .verdict { max-width: 90ch; } p.verdict, .verdict p { color: var(--ink); } p.verdict, .verdict p:first-child { font-size: 18px; } .verdict strong { font-weight: 600; } .verdict code { font: 14px ui-monospace, monospace; overflow-wrap: anywhere; }
.wide { overflow-x: auto; } table { border-collapse: collapse; font-variant-numeric: tabular-nums; white-space: nowrap; }
th, td { text-align: right; padding: 4px 14px 4px 0; border-bottom: 1px solid var(--line); } th { font-weight: 500; color: var(--soft); white-space: normal; vertical-align: bottom; line-height: 1.25; }
th:first-child, td:first-child { text-align: left; } .bad { color: var(--bad); font-weight: 600; }
.strip { display: block; width: 100%; height: 36px; background: var(--pre); margin-bottom: 4px; } .strip.after { height: 16px; } .strip.chart { height: 96px; } .strip line { stroke: var(--bad); stroke-width: 2; stroke-dasharray: 6 4; }
rect { stroke: var(--paper); stroke-width: 1; }
a:hover rect, a:focus rect { stroke: var(--ink); stroke-width: 2; }
${looks.map((look) => `.${look} { fill: var(--${look}); }`).join('\n')}
.ghost { opacity: .35; }
${filters.join('\n')}
.legend { list-style: none; padding: 0; margin: 0 0 8px; border: 0; display: flex; flex-wrap: wrap; gap: 4px 16px; color: var(--soft); font-size: 13px; }
.legend svg { width: 12px; height: 12px; margin: 0 6px -1px 0; }
details { border-top: 1px solid var(--line); } details:has(:target) { background: var(--pre); }
summary { padding: 6px 0; cursor: pointer; overflow-wrap: anywhere; } summary .soft, .soft { color: var(--soft); }
summary:focus-visible, .wide:focus-visible { outline: 2px solid var(--user); outline-offset: 2px; }
pre { margin: 0 0 12px; padding: 12px; background: var(--pre); font: 12.5px/1.45 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere; max-height: 70vh; overflow-y: auto; }
li { overflow-wrap: anywhere; }
@media (forced-colors: active) { svg { forced-color-adjust: none; } .strip { outline: 1px solid CanvasText; } }
@media print { * { print-color-adjust: exact; } .wide { overflow: visible; font-size: 11px; } }
h4 { font-size: 13px; margin: 8px 0 4px; color: var(--soft); font-weight: 500; }
`;

/** Allows no scripts or external resources, only the style sheet with this hash. */
export const contentSecurityPolicy: string = `default-src 'none'; style-src 'sha256-${base64(sha256(new TextEncoder().encode(style)))}'; base-uri 'none'; form-action 'none'`;

function base64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}
