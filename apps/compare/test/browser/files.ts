import { beforeAll, describe, expect, it } from 'vitest';
import { claudeCodeLog, codexLog } from '../../../../packages/palimpsest/test/comparison/logs.ts';
import { scratchFolder } from '../../../../packages/palimpsest/test/comparison/scratch.ts';
import { session } from '../../../../packages/palimpsest/test/comparison/session.ts';
import { soon, type WebView } from './web-view.ts';

const script = '<script>document.title = "taken"</script>';
const image = '<img src="x" onerror="document.title=\'taken\'"><svg onload="document.title=\'taken\'">';
const hostile = [script, image, '</pre></section><iframe srcdoc="<script>top.document.title=1</script>">', '‮txt.exe'];

const unusable: Readonly<Record<string, string | Buffer>> = {
  'empty.json': '',
  'blank.json': ' \n\n ',
  'cut.json': JSON.stringify({ messages: session(3) }).slice(0, -40),
  'page.json': '<!doctype html><script>document.title = "taken"</script>',
  'picture.json': Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0xff, 0xfe]),
  'number.json': '17',
  'other.json': '{"name": "something else", "version": 3}',
  'roles.json': '{"messages": [{"role": 5, "content": {}}]}',
  'deep.json': '['.repeat(100_000),
};

/** Broken, empty, huge and malicious files. */
export function files(shown: () => WebView): void {
  describe('files', () => {
    const folder = scratchFolder();
    let view: WebView;
    beforeAll(() => {
      view = shown();
    });
    const problem = () => view.page.locator('.source .problem').textContent();

    it('shows markup and scripts as text', async () => {
      const messages = session(60);
      for (const text of hostile) {
        const call = { id: text, type: 'function' as const, function: { name: text, arguments: JSON.stringify(text) } };
        messages.push(
          { role: 'user', content: text },
          { role: 'assistant', content: text, reasoning_content: text, tool_calls: [call] },
          { role: 'tool', tool_call_id: text, name: text, content: text },
        );
      }
      await view.give(`${image}.json`.replaceAll('/', ''), JSON.stringify({ id: script, messages }));
      await view.page.getByText(`in ${messages.length} messages`).waitFor();
      await view.settled();
      const strip = view.page.getByLabel('Every message before, by role');
      await strip.focus();
      await view.page.keyboard.press('End');
      const shown = () => view.page.getByLabel('The message before', { exact: true }).textContent();
      for (const text of hostile.toReversed()) {
        // The bidirectional override is shown as a code point.
        const visible = text.replace('‮', '');
        for (let message = 0; message < 3; message++) {
          await expect.poll(shown, soon).toContain(visible);
          await view.page.keyboard.press('ArrowLeft');
        }
      }
      expect(await shown()).not.toContain('‮');
      expect(await view.page.locator('.about').textContent()).toContain(script);
      expect(await view.page.locator('main :is(script, img, iframe, svg)').count()).toBe(0);
      expect(await view.page.title()).toContain('Palimpsest');
    });

    it.each(Object.keys(unusable))('reports in one line what is wrong with %s, and keeps its content', async (name) => {
      const before = await view.page.locator('.engine.before .after').textContent();
      await view.give(name, unusable[name]!);
      await expect.poll(problem, soon).toContain(name);
      const line = (await problem())!;
      expect(line).not.toContain('\n');
      expect(line.length).toBeLessThan(400);
      expect(await view.page.locator('.engine.before .after').textContent()).toBe(before);
    });

    it('opens a session of 321,000 tokens, and does not freeze', async () => {
      await view.page.evaluate(() => {
        const record = globalThis as unknown as { longest: number };
        record.longest = 0;
        new PerformanceObserver((list) => {
          for (const { duration } of list.getEntries()) record.longest = Math.max(record.longest, duration);
        }).observe({ type: 'longtask' });
      });
      const path = folder.write('long.json', JSON.stringify({ messages: session(400) }));
      const started = performance.now();
      await view.page.locator('#file').setInputFiles(path);
      await view.page.getByText('in 803 messages').waitFor();
      await view.settled();
      const ms = performance.now() - started;
      const longest = await view.page.evaluate(() => (globalThis as unknown as { longest: number }).longest);
      console.log(
        `web view, ${await view.tokensBefore()} tokens: ${Math.round(ms)} ms from the file to all results; ` +
          `the page's thread was busy for ${Math.round(longest)} ms at most`,
      );
      expect(ms).toBeLessThan(20_000);
      expect(longest).toBeLessThan(2_000);
    });

    it('rejects a file over the size limit', async () => {
      const path = folder.write('huge.json', Buffer.alloc(80_000_000, '['));
      await view.page.locator('#file').setInputFiles(path);
      await expect.poll(problem, soon).toContain('huge.json');
      expect(await problem()).toContain('MB');
    });

    it.each([
      ['claude.jsonl', claudeCodeLog(session(60), 'one')],
      ['codex.jsonl', codexLog(session(60), 'two')],
    ])('reads a session log of a coding agent, %s', async (name, log) => {
      await view.give(name, log);
      await expect.poll(() => view.page.locator('select').first().textContent(), soon).toContain(name);
      await view.settled();
      for (const engine of ['compressor', 'prune-compact']) {
        expect(await view.tokensLeft(engine)).toBeLessThan(await view.tokensBefore());
        expect(await view.page.locator(`[data-engine="${engine}"] .bad`).count()).toBe(0);
      }
    });

    it('clears the error when the next file is valid, and steps through several sessions in one file', async () => {
      const lines = [session(12), session(20)].map((messages) => JSON.stringify({ messages })).join('\n');
      await view.give('two.jsonl', lines);
      await view.page.getByText('in 27 messages').waitFor();
      expect(await problem()).toBe('');
      await view.page.getByRole('button', { name: 'Next transcript' }).click();
      await view.page.getByText('in 43 messages').waitFor();
      await view.settled();
    });
  });
}
