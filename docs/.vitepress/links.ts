import { existsSync, statSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import type { MarkdownRenderer } from 'vitepress';
import { pageOf } from './pages.ts';

/** The address of the repository, where it is known: in a workflow of GitHub. */
const repository = process.env.GITHUB_REPOSITORY && `https://github.com/${process.env.GITHUB_REPOSITORY}`;

/**
 * Makes links between files work on the site. In the repository, a link names a file. Here it becomes the address of that
 * file's page. A link to a file without a page leads to the repository, or stays plain text where that is not known.
 */
export function fileLinks(root: string): (markdown: MarkdownRenderer) => void {
  return (markdown) => {
    markdown.core.ruler.push('file-links', ({ tokens, env }) => {
      for (const { children } of tokens) {
        let isPlain = false;
        for (const token of children ?? []) {
          if (token.type === 'link_open') {
            const address = addressOf(root, (env.realPath ?? env.path) as string, token.attrGet('href') ?? '');
            isPlain = address === null;
            if (address !== null) token.attrSet('href', address);
          }
          if (isPlain && (token.type === 'link_open' || token.type === 'link_close')) {
            token.tag = 'span';
            token.attrs = null;
          }
          if (token.type === 'link_close') isPlain = false;
        }
      }
    });
  };
}

/** Returns the address of a linked file on the site, or `null` if the site does not have it. */
function addressOf(root: string, from: string, link: string): string | null {
  if (link === '' || /^(?:[a-z]+:|\/|#)/.test(link)) return link;
  const [path = '', anchor] = link.split('#');
  const target = resolve(dirname(from), decodeURIComponent(path));
  if (!existsSync(target)) return link;
  const isFolder = statSync(target).isDirectory();
  const file = relative(root, target).replaceAll('\\', '/');
  const page = pageOf(isFolder ? `${file}/README.md` : file);
  const hash = anchor === undefined ? '' : `#${anchor}`;
  if (page !== null && existsSync(isFolder ? resolve(target, 'README.md') : target)) return `/${page}${hash}`;
  return repository ? `${repository}/${isFolder ? 'tree' : 'blob'}/main/${file}${hash}` : null;
}
