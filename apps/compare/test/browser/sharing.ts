import { readFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { claudeCodeLog } from '../../../../packages/palimpsest/test/comparison/logs.ts';
import { session } from '../../../../packages/palimpsest/test/comparison/session.ts';
import { openPage } from './chromium.ts';
import { useView } from './use-view.ts';
import { soon, type WebView } from './web-view.ts';

/** Links, the stored file, pasting, and files to save. */
export function sharing(browser: () => Browser, address: () => string): void {
  describe('sharing', () => {
    const opened = (hash: string, use: (view: WebView) => Promise<void>) =>
      useView(browser(), `${address()}${hash}`, use);
    const about = (view: WebView) => view.page.locator('.about').textContent();

    it('shows what a link says, ignores what it cannot mean, and keeps the link up to date', () =>
      opened('#session=router-library.json&window=64000&threshold=7&request=20&message=9', async (view) => {
        expect(await view.slider('Window').getAttribute('aria-valuetext')).toBe('64K');
        await view.unfoldSettings();
        expect(await view.slider('Threshold').inputValue()).toBe('0');
        expect(await view.slider('Request').inputValue()).toBe('20');
        const strip = view.page.getByLabel('Every message before, by role');
        expect(await strip.getAttribute('aria-valuenow')).toBe('9');
        await strip.press('ArrowRight');
        await view.slider('Request').press('ArrowLeft');
        await expect
          .poll(() => new URL(view.page.url()).hash, soon)
          .toBe('#session=router-library.json&window=64000&request=19&message=10');
        // A link to a file that is not here says so, and shows a sample. Its name may hold anything.
        await view.page.evaluate(() => {
          location.hash = '#session=%E2%80%AEelsewhere.json';
        });
        const problem = () => view.page.locator('.source .problem').textContent();
        await expect.poll(problem, soon).toContain('elsewhere.json');
        expect(await problem()).not.toContain('\u202e');
      }));

    it('keeps a pasted transcript over a reload, until it is told to forget it', () =>
      opened('', async (view) => {
        const { page } = view;
        await page.getByRole('button', { name: 'Paste' }).click();
        await page.locator('dialog textarea').fill(JSON.stringify({ messages: session(60) }));
        await page.getByRole('button', { name: 'Read it' }).click();
        await page.getByText('in 123 messages').waitFor();
        await view.settled();
        await expect.poll(() => new URL(page.url()).hash, soon).toBe('#session=pasted.json');
        await page.reload();
        await view.settled();
        await page.getByText('in 123 messages').waitFor();
        expect(await about(view)).toContain('No data was sent anywhere');
        await page.getByRole('button', { name: 'Forget my file' }).click();
        await expect.poll(() => page.getByRole('button', { name: 'Forget my file' }).count(), soon).toBe(0);
        await page.reload();
        await view.settled();
        await expect.poll(() => page.locator('.source .problem').textContent(), soon).toContain('pasted.json');
      }));

    it('saves the compacted transcript in its own format, and a report', () =>
      opened('#session=router-library.json&window=64000', async (view) => {
        const { page } = view;
        const saved = async (name: RegExp): Promise<{ readonly file: string; readonly data: Buffer }> => {
          await page.getByRole('button', { name: 'Export' }).click();
          const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name }).click()]);
          return { file: file.suggestedFilename(), data: readFileSync(await file.path()) };
        };
        const transcript = await saved(/compacted by prune-compact/);
        expect(transcript.file).toMatch(/-prune-compact\.json$/);
        const { messages } = JSON.parse(transcript.data.toString()) as { messages: { content: unknown }[] };
        const before = Number(await page.getByLabel('Every message before, by role').getAttribute('aria-valuemax'));
        expect(messages.length).toBeLessThan(before);
        expect(JSON.stringify(messages).includes('CONTEXT HANDOFF')).toBe(true);
        await view.give('claude.jsonl', claudeCodeLog(session(60), 'one'));
        await expect.poll(() => page.locator('.sample select').textContent(), soon).toContain('claude.jsonl');
        await view.settled();
        await view.slider('Request').press('PageDown');
        await view.settled();
        const earlier = await saved(/compacted by compressor/);
        expect(earlier.file).toMatch(/-compressor-request-\d+\.json/);
        const request = JSON.parse(earlier.data.toString()) as { messages: { role: string }[] };
        expect(new Set(request.messages.map(({ role }) => role))).toEqual(new Set(['user', 'assistant']));
        const report = await saved(/^Report/);
        expect(report.data.toString().slice(0, 20_000)).toContain('<h1>Context engines compared</h1>');
        const verdict = (await page.locator('.verdict .headline').textContent())!.trim();
        const opening = await openPage(browser());
        await opening.setContent(report.data.toString());
        expect(await opening.locator('.verdict p').first().textContent()).toContain(verdict.split('.')[0]!);
        expect(await opening.locator('svg rect').count()).toBeGreaterThan(100);
        await opening.close();
      }));
  });
}
