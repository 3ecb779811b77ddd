import { readFileSync } from 'node:fs';
import type { Message } from '@palimpsest/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { escapeHtml } from '../src/page/escape.ts';
import { messageText } from '../src/page/message-text.ts';
import { contentSecurityPolicy, style } from '../src/page/style.ts';
import { runHere } from './run-here.ts';
import { scratchFolder } from './scratch.ts';
import { session } from './session.ts';

const folder = scratchFolder();
const cwd = folder.path;
const hostile = [
  '<script>alert(1)</script>',
  '</pre></details><img src=x onerror=alert(1)>',
  '"><svg onload=alert(1)>',
  "' onmouseover='alert(1)",
  '<!-- --!><iframe srcdoc="<script>alert(1)</script>">',
  '</style></title><meta http-equiv="refresh" content="0;url=https://evil.example">',
  '&lt;b&gt; \u202e txt.exe \u0000',
];

describe('the page', () => {
  it('shows hostile messages, names and ids as text', async () => {
    const messages: Message[] = session(3);
    for (const text of hostile) {
      const call = { id: text, type: 'function' as const, function: { name: text, arguments: text } };
      messages.push(
        { role: 'user', content: text },
        { role: 'assistant', content: text, reasoning_content: text, tool_calls: [call] },
        { role: 'tool', tool_call_id: text, name: text, content: text },
      );
    }
    folder.write('hostile.json', { id: hostile[1], messages });
    const { code } = await runHere(['compare', 'hostile.json', '--html', 'out.html'], { cwd });
    expect(code).toBe(0);
    const page = readFileSync(`${cwd}/out.html`, 'utf8');
    const tags = new Set([...page.matchAll(/<\/?([a-z0-9]+)/gi)].map(([, tag]) => tag!.toLowerCase()));
    for (const tag of ['script', 'img', 'iframe', 'b', 'link', 'object', 'form']) expect(tags).not.toContain(tag);
    expect(page.match(/<style>/g)).toHaveLength(1);
    expect(page.match(/<meta http-equiv/g)).toHaveLength(1);
    for (const [tag] of page.matchAll(/<[a-z][^>]*>/gi)) expect(tag).not.toMatch(/\s(?:on\w+|style|srcdoc|src)=/);
    for (const text of hostile) expect(page).toContain(escapeHtml(text));
  });

  it('lets nothing run and nothing load', () => {
    expect(contentSecurityPolicy).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/]+=*'; base-uri 'none'; form-action 'none'$/,
    );
    expect(style).not.toMatch(/url\(|@import|</);
  });

  it('escapes whatever could end a text or an attribute', () => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.oneof(
            fc.constantFrom('<', '>', '"', "'", '&', '\u0000', '\u202e'),
            fc.constantFrom('a', 'ü', '\n', '\ud800', '\u{1f600}', ' ', '\u0007', '\u2066'),
          ),
        }),
        (text) => {
          const escaped = escapeHtml(text);
          expect(escaped).not.toMatch(/[<>"'\u0000\u202e]|&(?!(?:amp|lt|gt|quot|#39);)/);
        },
      ),
    );
  });

  it('cuts a very long message in its middle, and says so', () => {
    const text = messageText({ role: 'user', content: `${'a'.repeat(50_000)}the end` });
    expect(text.length).toBeLessThan(20_100);
    expect(text).toMatch(/^a+\n\n\[… 30,007 characters are not shown …\]\n\na+the end$/);
  });

  it('gives a picture a line', () => {
    const content = [{ type: 'image_url', image_url: { url: `data:image/png;base64,${'A'.repeat(1000)}` } }] as never;
    expect(messageText({ role: 'user', content })).toBe('[image, 1,065 characters]');
  });
});
