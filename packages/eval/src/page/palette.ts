import type { MessageOutcome } from '@palimpsest/core';

/** The style of a block, by message role. `inserted` is a message written by an engine. */
export type RoleLook = 'system' | 'user' | 'assistant' | 'tool' | 'inserted';

/**
 * The light and dark colours of all pages. Roles have hues of their own. Outcomes are slate for what stays in place,
 * purple for what is in the handoff, and pale for what is dropped. Both differ in lightness as well as hue. Engines and
 * problems have hues of their own, too; links and controls have none. Text has a contrast of at least 4.5:1 on `paper`
 * and `pre`.
 */
export const lightColours = {
  ink: '#1d2126',
  soft: '#58616c',
  paper: '#fbfaf7',
  raised: '#ffffff',
  line: '#dcd9d1',
  pre: '#f1efe9',
  system: '#8a8f98',
  user: '#2f6fb3',
  assistant: '#4f9a72',
  tool: '#d7b46a',
  inserted: '#9a5fb0',
  kept: '#4d5a68',
  rewritten: '#8ba3b8',
  carried: '#6a3d85',
  summarized: '#b795c6',
  dropped: '#d0ccc2',
  bad: '#c2103a',
  first: '#3f4fb5',
  second: '#24707c',
  third: '#8a5a00',
  recorded: '#8d8a82',
};

const dark: Partial<typeof lightColours> = {
  ink: '#e6e4de',
  soft: '#a2aab3',
  paper: '#16181b',
  raised: '#1c1f23',
  line: '#33373d',
  pre: '#202327',
  tool: '#a98a48',
  kept: '#9aa4b0',
  summarized: '#7d5f93',
  dropped: '#43474e',
  rewritten: '#5d7389',
  carried: '#c79be0',
  bad: '#ff7a90',
  first: '#9fabff',
  second: '#6fc0cc',
  third: '#d8ad62',
  recorded: '#868b92',
};

/** Text and lines on a canvas, where a system forces colours. Blocks keep their own: only these tell them apart. */
const forced: Partial<typeof lightColours> = {
  ink: 'CanvasText',
  soft: 'CanvasText',
  paper: 'Canvas',
  raised: 'Canvas',
  line: 'CanvasText',
  pre: 'Canvas',
  bad: 'CanvasText',
};

const properties = (colours: Partial<typeof lightColours>): string =>
  Object.entries(colours)
    .map(([name, colour]) => `--${name}: ${colour};`)
    .join(' ');

/** A style sheet with the custom properties of both colour schemes, and of forced colours. */
export const palette: string = `:root { color-scheme: light dark; ${properties(lightColours)} }
@media (prefers-color-scheme: dark) { :root { ${properties(dark)} } }
@media (forced-colors: active) { :root { ${properties(forced)} } }
`;

/** All looks of blocks: the roles, and the outcomes. */
export const looks: readonly (RoleLook | MessageOutcome['kind'])[] = [
  ...(['system', 'user', 'assistant', 'tool', 'inserted'] as const),
  ...(['kept', 'rewritten', 'carried', 'summarized', 'dropped'] as const),
];
