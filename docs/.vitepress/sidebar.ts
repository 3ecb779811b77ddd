import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { DefaultTheme } from 'vitepress';
import { pageOf } from './pages.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

const back: DefaultTheme.SidebarItem = { text: 'All pages', link: '/start/build-an-agent' };

const main: DefaultTheme.SidebarItem[] = [
  {
    text: 'Start',
    items: [
      { text: 'Run an agent', link: '/start/run-an-agent' },
      { text: 'Build an agent', link: '/start/build-an-agent' },
      { text: 'Choose an engine', link: '/choose-an-engine' },
      { text: 'What you can rely on', link: '/reliability' },
      { text: 'Can a reader continue?', link: '/exam' },
    ],
  },
  {
    text: 'Concepts',
    items: [
      { text: 'Plan and apply', link: '/concepts/plan-and-apply' },
      { text: 'The projection', link: '/concepts/projection' },
      { text: 'The handoff', link: '/concepts/handoff' },
      { text: 'Recall', link: '/concepts/recall' },
    ],
  },
  {
    text: 'Guides',
    items: [
      { text: 'Frameworks', link: '/adapters' },
      { text: 'Recipes', link: '/recipes' },
      { text: 'A loop of your own', link: '/guides/own-loop' },
      { text: 'Write an adapter', link: '/guides/write-an-adapter' },
      { text: 'Who writes the summaries', link: '/guides/summaries' },
      { text: 'Compact on demand', link: '/guides/compact-on-demand' },
      { text: 'Long chats', link: '/guides/long-chats' },
      { text: 'Autonomous agents', link: '/guides/autonomous-agents' },
      { text: 'Sub-agents', link: '/guides/sub-agents' },
      { text: 'Small local models', link: '/guides/small-local-models' },
      { text: 'Large results', link: '/guides/large-results' },
      { text: 'Images', link: '/guides/images' },
      { text: 'Secrets', link: '/guides/secrets' },
      { text: 'Persistence', link: '/guides/persistence' },
      { text: 'What is stored where', link: '/guides/what-is-stored' },
      { text: 'Run it for your product', link: '/guides/run-for-your-product' },
      { text: 'Hooks', link: '/guides/hooks' },
      { text: 'Search in detail', link: '/guides/search' },
      { text: 'What is bounded', link: '/guides/bounds' },
      { text: 'The work record', link: '/guides/work-record' },
      { text: 'Proxies', link: '/guides/proxies' },
      { text: 'Bedrock', link: '/guides/bedrock' },
      { text: 'See what it did', link: '/guides/see-what-it-did' },
      { text: 'Find what was compacted', link: '/guides/find-what-was-compacted' },
      { text: 'Write an engine', link: '/write-an-engine' },
    ],
  },
  {
    text: 'Troubleshooting',
    items: [
      { text: 'Why was a request refused?', link: '/troubleshooting/refused-requests' },
      { text: 'Error codes', link: '/troubleshooting/error-codes' },
    ],
  },
  {
    text: 'Reference',
    items: [
      { text: 'Packages', link: '/packages' },
      { text: 'API', link: '/api/' },
      { text: 'Commands for transcripts', link: '/program/transcripts' },
      { text: 'Compatibility', link: '/compatibility' },
      { text: 'Licences', link: '/licences' },
      // There are no changelogs before the first release.
      ...(pagesIn('packages', 'CHANGELOG.md').length > 0 ? [{ text: 'Changes', link: '/changes/palimpsest' }] : []),
    ],
  },
  {
    text: 'Project',
    items: [
      { text: 'Benchmarks', link: '/benchmarks' },
      { text: 'Benchmarks: details', link: '/bench' },
      { text: 'Two handoffs', link: '/handoffs' },
      { text: 'Agents that were tried', link: '/program/agents' },
      { text: 'Runs of real agents', link: '/program/agent-runs' },
      { text: 'Architecture', link: '/architecture' },
      { text: 'Decisions', link: '/decisions/' },
      { text: 'Security', link: '/security' },
    ],
  },
];

/** Next to the pages of a reference there is a list of them, because the list is too long for the main one. */
export const sidebar: DefaultTheme.SidebarMulti = {
  '/packages/': [back, { text: 'Packages', link: '/packages', items: pagesIn('packages', 'README.md') }],
  '/changes/': [back, { text: 'Changes', items: pagesIn('packages', 'CHANGELOG.md') }],
  '/decisions/': [back, { text: 'Decisions', link: '/decisions/', items: pagesIn('contributing/decisions') }],
  '/api/': [back, { text: 'API reference', link: '/api/', items: pagesIn('docs/api') }],
  '/': main,
};

/** The pages of a folder of the repository, named by their first heading. `file`: of a page in each of its folders. */
function pagesIn(folder: string, file?: string): DefaultTheme.SidebarItem[] {
  const names = file
    ? readdirSync(`${root}${folder}`)
        .map((name) => `${name}/${file}`)
        .filter((name) => existsSync(`${root}${folder}/${name}`))
    : readdirSync(`${root}${folder}`, { recursive: true, encoding: 'utf8' });
  return names.sort().flatMap((name) => {
    const path = `${folder}/${name.replaceAll('\\', '/')}`;
    const page = pageOf(path);
    return page === null || page.endsWith('/index.md')
      ? []
      : [{ text: headingOf(path), link: `/${page.replace(/\.md$/, '')}` }];
  });
}

function headingOf(file: string): string {
  return /^# (.+)$/m.exec(readFileSync(`${root}${file}`, 'utf8'))?.[1] ?? file;
}
