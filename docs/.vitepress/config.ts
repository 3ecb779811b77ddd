import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vitepress';
import { fileLinks } from './links.ts';
import { pageOf } from './pages.ts';
import { sidebar } from './sidebar.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** A transcript: kept, summarized, kept. */
const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path fill="#2f6fb3" d="M2 2h12v3H2z"/><path fill="#9a5fb0" d="M2 6.5h12v3H2z"/><path fill="#4f9a72" d="M2 11h12v3H2z"/></svg>`;

/** Resolves Vue from this package. Pages import it, and many of them are in other folders of the repository. */
const vueFromHere = {
  name: 'vue-from-here',
  enforce: 'pre',
  resolveId(source) {
    return /^vue(?:$|\/)/.test(source)
      ? this.resolve(source, fileURLToPath(import.meta.url), { skipSelf: true })
      : null;
  },
} satisfies Plugin;

export default defineConfig({
  title: 'Palimpsest',
  description: "Keeps any LLM agent inside its model's context window.",
  lang: 'en',
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: `data:image/svg+xml,${encodeURIComponent(icon)}` }]],
  // The whole repository, because READMEs, decisions and results are pages, too.
  srcDir: '..',
  srcExclude: [
    '{README,CONTRIBUTING,contributing/naming}.md',
    '{examples,test,tools,apps/compare,packages/command-line}/**',
    'packages/*/{src,test}/**',
    '**/node_modules/**',
    '.*/**',
  ],
  // The path of the site on its host, such as `/palimpsest/`.
  base: process.env.DOCS_BASE ?? '/',
  themeConfig: {
    nav: [
      { text: 'Start', link: '/start/build-an-agent' },
      { text: 'Guides', link: '/adapters' },
      { text: 'Troubleshooting', link: '/troubleshooting/refused-requests' },
      { text: 'Reference', link: '/api/' },
      { text: 'Benchmarks', link: '/benchmarks' },
    ],
    sidebar,
    outline: [2, 3],
    search: { provider: 'local', options: { miniSearch: { searchOptions: { boostDocument } } } },
  },
  vite: {
    plugins: [vueFromHere],
    // The index of the search, which is loaded by the first search.
    build: { chunkSizeWarningLimit: 2_000 },
  },
  markdown: {
    config: fileLinks(root),
    anchor: { slugify },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
  },
  rewrites(file) {
    const page = pageOf(file);
    if (page === null) throw new Error(`${file} has no page: exclude it in docs/.vitepress/config.ts`);
    return page;
  },
});

/** The anchor of a heading, as GitHub makes it: links between files work in both places. */
function slugify(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .trim()
    .replaceAll(' ', '-');
}

/** Ranks the guides before the reference, and both before reports and the front page, which repeats them. It runs in the browser, so it uses nothing around it. */
function boostDocument(page: string): number {
  if (page.includes('/api/')) return 0.3;
  return /\/(?:bench|benchmarks|changes\/|handoffs|decisions\/|program\/agent-runs|architecture|#|$)/.test(page)
    ? 0.5
    : 1;
}
