import { expect, it } from 'vitest';
import { lookupsBy } from './file-work.ts';

it('lists what was read and fetched, the newest first', () => {
  const found = lookupsBy(
    ['Read', { file_path: '/r/a.ts' }, 'x'],
    ['Read', { file_path: '/r/b.ts' }, 'x'],
    [
      'Bash',
      { command: "cd /r && head -n 5 a.ts | grep -n 'class A' && sed -n 1,5p c.ts && curl -s https://a.example/x" },
      'x',
    ],
    ['Grep', { pattern: 'parse', path: 'src' }, 'x'],
    ['Glob', { pattern: '**/*.ts' }, 'x'],
    ['Bash', { command: "rg --glob '*.ts' -e parse | head -3; find . -name '*.md'" }, 'x'],
    ['WebFetch', { url: 'https://b.example/', prompt: 'x' }, 'x'],
    ['WebSearch', { query: 'linear parsers' }, 'x'],
    ['browser_navigate', { url: 'https://c.example/' }, 'x'],
    ['web_extract', { urls: ['https://d.example/', 'https://b.example/'] }, 'x'],
    ['Edit', { file_path: '/r/b.ts', new_string: 'x' }, 'ok'],
    ['Read', { file_path: '/r/missing.ts' }, '<tool_use_error>File does not exist.</tool_use_error>'],
  );
  expect(found.files).toEqual([
    { name: '/r/c.ts', count: 1, index: 4 },
    { name: '/r/a.ts', count: 2, index: 4 },
  ]);
  expect(found.urls.map(({ name, count }) => `${name} ${count}`)).toEqual([
    'https://b.example/ 2',
    'https://d.example/ 1',
    'https://c.example/ 1',
    'https://a.example/x 1',
  ]);
});
