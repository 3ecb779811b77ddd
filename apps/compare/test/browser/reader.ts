import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { session } from '../../../../packages/palimpsest/test/comparison/session.ts';
import { accessibilityProblems } from './accessibility.ts';
import { soon, type WebView } from './web-view.ts';

const hostile = '<img src=x onerror="document.title=\'taken\'"> \u202etxt.exe \u0007 src/hostile-name.ts';

/** The side pane: what became of a message, the handoff as a document, and the list of all messages. */
export function reader(shown: () => WebView): void {
  describe('reader', () => {
    let view: WebView;
    beforeAll(async () => {
      view = shown();
      const messages = session(90);
      const id = messages[3]!.tool_call_id!;
      messages[2] = {
        ...messages[2]!,
        content: 'Always keep src/hostile-name.ts as it is.',
        tool_calls: [{ id, type: 'function', function: { name: 'bash', arguments: '{"command":"make all"}' } }],
      };
      messages[3] = { ...messages[3]!, content: `${'Nothing to do.\n'.repeat(200)}cc src/only-here.ts` };
      messages[7] = {
        ...messages[7]!,
        content: `${hostile}\n${'x '.repeat(8_000)}\nneedle-in-the-middle\n${'y '.repeat(4_000)}`,
      };
      await view.give('reader.json', JSON.stringify({ messages }));
      await view.page.getByText(`in ${messages.length} messages`).waitFor();
      await view.settled();
    });
    afterAll(() => tab('Message').click());
    const tab = (name: string) => view.page.getByRole('tab', { name, exact: true });
    const list = () => view.page.getByRole('listbox', { name: 'Messages' });
    const said = (of: string) => view.page.locator(`[data-reading="${of}"]`).textContent();
    const after = (engine: string) => view.page.getByRole('region', { name: `The message after ${engine}` });
    const isFocused = (element: Locator) => element.evaluate((one) => one === document.activeElement);
    const choose = async (number: number): Promise<void> => {
      const strip = view.page.getByLabel('Every message before, by role');
      await strip.focus();
      await view.page.keyboard.press('Home');
      for (let pressed = 1; pressed < number; pressed++) await view.page.keyboard.press('ArrowRight');
      await expect.poll(() => said('source'), soon).toContain(`Message ${number},`);
    };

    it('leads from a message to the lines of the handoff that come from it, and back', async () => {
      await choose(2);
      const line = after('compressor').locator('.surviving button').first();
      await line.waitFor();
      expect(await line.locator('mark').allTextContents()).not.toEqual([]);
      await line.click();
      await expect.poll(() => tab('Handoff').getAttribute('aria-selected'), soon).toBe('true');
      const focused = view.page.locator('.handoff-documents .line:focus');
      await focused.waitFor();
      expect(await focused.getAttribute('class')).toContain('of-selected');
      await focused.getByRole('button', { name: 'Message 2', exact: true }).press('Enter');
      await expect.poll(() => tab('Message').getAttribute('aria-selected'), soon).toBe('true');
      expect(await said('source')).toContain('Message 2,');
      // The link is gone. The focus is not.
      await expect.poll(() => isFocused(tab('Message')), soon).toBe(true);
    });

    it('says what is lost of a message', async () => {
      await choose(4);
      await expect.poll(() => said('compressor'), soon).toMatch(/^Summarized, with others, into a handoff of/);
      expect(await after('compressor').locator('.names').textContent()).toContain('src/only-here.ts');
    });

    it('shows the differences of a shortened message', async () => {
      await choose(8);
      await expect.poll(() => said('prune-compact'), soon).toMatch(/^Stubbed or shortened to [\d,]+ tokens/);
      const changes = view.page.getByLabel('What changed under prune-compact');
      await changes.waitFor();
      expect(await changes.locator('del').count()).toBeGreaterThan(0);
      expect(await changes.locator('ins').count()).toBeGreaterThan(0);
    });

    it('shows hostile text as text', async () => {
      await choose(8);
      await tab('All messages').click();
      await view.page.locator('[data-message="7"]').waitFor();
      expect(await view.page.locator('[data-message="7"]').textContent()).toContain('<img src=x');
      await tab('Message').click();
      const text = () => view.page.getByLabel('The message before', { exact: true }).textContent();
      await expect.poll(text, soon).toContain('<img src=x');
      expect(await text()).toContain('[U+202E]');
      const everything = await view.page.locator('.side').textContent();
      expect(everything).not.toContain('\u202e');
      expect(everything).not.toContain('\u0007');
      expect(await view.page.locator('main :is(script, img, iframe, svg:not(.plot svg))').count()).toBe(0);
      expect(await view.page.title()).toContain('Palimpsest');
    });

    it('searches, folds and copies the handoff', async () => {
      await view.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await tab('Handoff').click();
      const sections = view.page.locator('.handoff-documents details.handoff-section');
      await sections.first().waitFor();
      await sections.evaluateAll((all) => {
        for (const section of all) (section as HTMLDetailsElement).open = false;
      });
      const field = view.page.getByRole('searchbox', { name: 'Search the handoff' });
      await field.fill('module-1');
      const places = () => view.page.locator('.search-field [aria-live]').textContent();
      await expect.poll(places, soon).toMatch(/^1 of \d+$/);
      await field.press('Enter');
      await expect.poll(places, soon).toMatch(/^2 of \d+$/);
      const engine = view.page.getByLabel('Engine', { exact: true });
      const found = await view.page.locator('.handoff-documents mark').count();
      // prune-compact writes no handoff of this session.
      await engine.selectOption('prune-compact');
      await expect.poll(places, soon).toBe('not found');
      await engine.selectOption('compressor');
      await expect.poll(places, soon).toBe(`1 of ${found}`);
      const current = view.page.locator('mark.current');
      expect(await current.textContent()).toBe('module-1');
      expect(await current.isVisible()).toBe(true);
      await field.fill('no such words');
      await expect.poll(places, soon).toBe('not found');
      await field.fill('');
      await view.page.getByRole('button', { name: 'Copy', exact: true }).first().click();
      await view.page.getByRole('button', { name: 'Copied' }).waitFor();
      expect(await view.page.evaluate(() => navigator.clipboard.readText())).toMatch(
        /^\[CONTEXT HANDOFF [\s\S]*END OF CONTEXT HANDOFF [^\n]*$/,
      );
    });

    it('shows two handoffs side by side', async () => {
      const opener = view.page.getByRole('button', { name: 'Side by side' });
      await opener.press('Enter');
      const dialog = view.page.getByRole('dialog', { name: 'Handoffs side by side' });
      await dialog.getByRole('region', { name: 'The handoff of compressor' }).locator('.line').first().waitFor();
      await dialog.getByRole('region', { name: 'The handoff of prune-compact' }).waitFor();
      expect(await accessibilityProblems(view.page, 'dialog')).toEqual([]);
      await view.page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      expect(await isFocused(opener)).toBe(true);
    });

    it.each([
      ['dark', 'none'],
      ['light', 'active'],
    ] as const)('is accessible in every tab, %s, forced colours: %s', async (colorScheme, forcedColors) => {
      const { page } = view;
      await page.emulateMedia({ colorScheme, forcedColors });
      for (const name of ['All messages', 'Message', 'Handoff']) {
        await tab(name).click();
        expect(await accessibilityProblems(page, '.side'), name).toEqual([]);
      }
      await page.emulateMedia({ colorScheme: null, forcedColors: null });
    });

    it('lists every message, and renders only those in view', async () => {
      await tab('All messages').click();
      await list().focus();
      const option = () =>
        list().evaluate((box) => {
          const row = document.getElementById(box.getAttribute('aria-activedescendant') ?? '');
          return `${row?.getAttribute('aria-posinset')} of ${row?.getAttribute('aria-setsize')}`;
        });
      await view.page.keyboard.press('Home');
      await expect.poll(option, soon).toBe('1 of 183');
      for (let pressed = 0; pressed < 40; pressed++) await view.page.keyboard.press('ArrowDown');
      await expect.poll(option, soon).toBe('41 of 183');
      await view.page.keyboard.press('End');
      await expect.poll(option, soon).toBe('183 of 183');
      expect(await list().getByRole('option').count()).toBeLessThan(60);
      await view.page.keyboard.press('PageUp');
      await expect.poll(option, soon).not.toBe('183 of 183');
    });

    it('shares the selection of the list with the strips, for pointer and keyboard', async () => {
      const strip = view.page.getByLabel('Every message before, by role');
      const at = () => strip.getAttribute('aria-valuenow');
      const rows = list().getByRole('option');
      await rows.nth(12).click();
      const chosen = String(Number(await rows.nth(12).getAttribute('data-message')) + 1);
      await expect.poll(at, soon).toBe(chosen);
      await rows.nth(14).hover();
      await expect.poll(at, soon).toBe(String(Number(chosen) + 2));
      await view.page.mouse.move(0, 0);
      await expect.poll(at, soon).toBe(chosen);
      await list().press('Enter');
      await expect.poll(() => said('source'), soon).toContain(`Message ${chosen},`);
      await expect.poll(() => isFocused(tab('Message')), soon).toBe(true);
    });

    it('searches the whole text of the messages, and filters them by role, tool and outcome', async () => {
      await tab('All messages').click();
      const shown = () => view.page.locator('.message-list p').textContent();
      const search = view.page.getByRole('searchbox', { name: 'Search the messages' });
      await search.fill('NEEDLE-in-the-middle');
      await expect.poll(shown, soon).toBe('1 of 183 messages');
      await search.fill('');
      await expect.poll(shown, soon).toBe('183 messages');
      for (const [filter, value, count] of [
        ['Role', 'tool', '90 of 183 messages'],
        ['Tool', 'read_file', '89 of 183 messages'],
        ['Role', 'user', '0 of 183 messages'],
        ['Tool', '', '1 of 183 messages'],
        ['Role', '', '183 messages'],
      ] as const) {
        await view.page.getByLabel(filter, { exact: true }).selectOption(value);
        await expect.poll(shown, soon).toBe(count);
      }
      await view.page.getByLabel('Outcome', { exact: true }).selectOption('prune-compact rewritten');
      await expect.poll(shown, soon).toMatch(/^[1-9]\d* of 183 messages$/);
      // An engine that is not shown limits nothing.
      await view.page.getByRole('checkbox', { name: 'prune-compact' }).uncheck();
      await expect.poll(shown, soon).toBe('183 messages');
      expect(await view.page.getByLabel('Outcome', { exact: true }).inputValue()).toBe('');
      await view.page.getByRole('checkbox', { name: 'prune-compact' }).check();
      await view.page.getByLabel('Outcome', { exact: true }).selectOption('');
    });
  });
}
