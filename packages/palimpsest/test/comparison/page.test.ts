import { readFileSync } from 'node:fs';
import type { Message } from '@palimpsest/core';
import { writeHandoff } from '@palimpsest/core/authoring';
import { escapeHtml } from '@palimpsest/eval/page/escape';
import { contentSecurityPolicy, style } from '@palimpsest/eval/page/style';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { messageText } from '../../src/comparison/page/message-text.ts';
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

  it('shows a handoff uncut, and numbers messages from 1', async () => {
    const body = `## Goal\n\n${'A line of the handoff.\n'.repeat(1_500)}The last line.`;
    expect(messageText({ role: 'user', content: writeHandoff(body) })).toContain('The last line.');
    expect(messageText({ role: 'user', content: writeHandoff(body) })).not.toContain('not shown');
    folder.write('numbered.json', { messages: session(3) });
    await runHere(['compare', 'numbered.json', '--html', 'numbered.html'], { cwd });
    const page = readFileSync(`${cwd}/numbered.html`, 'utf8');
    expect(page).toMatch(/<summary>1 system /);
    expect(page).toContain('<title>1 system, ');
    expect(page).not.toMatch(/<(?:summary|title)>0 /);
  });

  it('masks secrets everywhere, also where a long text is cut', async () => {
    // Assembled at run time so that secret scanners do not flag this file.
    const token = (mark: string): string =>
      `gh${'p'}_${mark.repeat(2)}${'Zk3v9QpT7wXn2LbR5yHd8MfC6sGj4aUe1oWq'.slice(2)}`;
    const marks = ['a', 'b', 'c', 'd', 'e', 'f'];
    const [inText, inCall, inReasoning, inResult, atCut, inId] = marks.map(token) as [string, ...string[]];
    const messages: Message[] = session(3);
    const call = {
      id: 'x',
      type: 'function' as const,
      function: { name: 'run', arguments: JSON.stringify({ command: `curl -H "x-key: ${inCall}"` }) },
    };
    messages.push(
      { role: 'user', content: `use ${inText}` },
      { role: 'assistant', content: null, reasoning_content: `so ${inReasoning}`, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'x', content: `export TOKEN=${inResult}\n${'long line\n'.repeat(4_000)}` },
      { role: 'assistant', content: `${'word '.repeat(2_796)}${atCut} ${'word '.repeat(4_000)}` },
      { role: 'user', content: 'Go on.' },
    );
    folder.write('secrets.json', { id: inId, messages });
    const { code } = await runHere(['compare', 'secrets.json', '--html', 'masked.html', '--force'], { cwd });
    expect(code).toBe(0);
    const page = readFileSync(`${cwd}/masked.html`, 'utf8');
    expect(page).toContain('characters are not shown');
    for (const secret of [inText, inCall, inReasoning, inResult, atCut, inId])
      for (const piece of [secret!, secret!.slice(0, 20), secret!.slice(-20)]) expect(page).not.toContain(piece);
    for (const command of [['inspect'], ['compare', '--force']]) {
      const printed = await runHere([...command, 'secrets.json', '--json'], { cwd });
      for (const secret of [inText, inCall, inResult, atCut, inId]) expect(printed.stdout).not.toContain(secret);
    }
  });

  it('allows no scripts and no external resources', () => {
    expect(contentSecurityPolicy).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/]+=*'; base-uri 'none'; form-action 'none'$/,
    );
    // `url(#…)` names a pattern in the page itself.
    expect(style).not.toMatch(/url\((?!#)|@import|</);
  });

  it('escapes characters that could end text or an attribute', () => {
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

  it('cuts a very long message in the middle and marks the cut', () => {
    const text = messageText({ role: 'user', content: `${'a'.repeat(50_000)}the end` });
    expect(text.length).toBeLessThan(20_100);
    expect(text).toMatch(/^a+\n\n\[… 30,007 characters are not shown …\]\n\na+the end$/);
  });

  it('shows an image as one line', () => {
    const content = [{ type: 'image_url', image_url: { url: `data:image/png;base64,${'A'.repeat(1000)}` } }] as never;
    expect(messageText({ role: 'user', content })).toBe('[image, 1,065 characters]');
  });
});
