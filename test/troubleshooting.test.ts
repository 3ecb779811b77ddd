import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { classifyProviderError } from '@palimpsest/provider-errors';
import { describe, expect, it } from 'vitest';
import { refusals } from '../packages/provider-errors/test/refusals.ts';

const page = readFileSync(
  fileURLToPath(new URL('../docs/troubleshooting/refused-requests.md', import.meta.url)),
  'utf8',
);

/** The sections that name kinds of errors, with the messages in their tables. */
const sections = page.split(/^## /m).flatMap((section) => {
  const [title = '', , first = ''] = section.split('\n');
  const kinds = [...first.matchAll(/`([a-z-]+)`/g)].map((match) => match[1]!);
  const messages = [...section.matchAll(/^\| (?!provider|---)[^|]+ \| (.+) \|$/gm)].map((match) => match[1]!);
  return kinds.length > 0 && messages.length > 0 ? [{ title, kinds, messages }] : [];
});

describe('the page on refused requests', () => {
  const rows = sections.flatMap(({ title, kinds, messages }) => messages.map((message) => ({ title, kinds, message })));

  it('has a section for each kind of error that providers send', () => {
    const named = new Set([...sections.flatMap(({ kinds }) => kinds), 'network']);
    const sent = new Set(refusals.map(({ kind }) => kind));
    expect([...sent].filter((kind) => !named.has(kind))).toEqual([]);
    expect(rows.length).toBeGreaterThan(30);
  });

  it.each(rows)('puts "$message" under "$title"', ({ kinds, message }) => {
    const refusal = refusals.find(({ body }) => JSON.stringify(body).includes(JSON.stringify(message).slice(1, -1)));
    expect(refusal, 'no provider is known to send this').toBeDefined();
    expect(kinds).toContain(classifyProviderError(refusal).kind);
  });
});
