import type { Browser } from 'playwright-core';
import { expect, it } from 'vitest';
import { session } from '../../../../packages/palimpsest/test/comparison/session.ts';
import { type Heap, measureHeaps } from './heaps.ts';
import { openView, soon } from './web-view.ts';

/** A session of about 27 MB, with different text in each message. */
function largeSession(): string {
  const messages = session(500).map((message, index) =>
    message.role === 'tool' ? { ...message, content: `${index} ${message.content}\n`.repeat(18) } : message,
  );
  messages[2] = { ...messages[2]!, content: 'Always keep src/only-here.ts as it is.' };
  return JSON.stringify({ messages });
}

/** Memory: a session is released when another one is opened, also after it was read and searched. */
export function memory(browser: () => Browser, address: () => string): void {
  it('gives the memory of a session back when another one is opened', async () => {
    const view = await openView(browser(), `${address()}#session=bisect-a-wrong-cent.json`);
    try {
      const { page } = view;
      const before = await measureHeaps(page);
      await view.give('large.json', largeSession());
      await page.getByText('in 1,003 messages').waitFor({ timeout: 60_000 });
      await view.settled();
      // Reading and searching build indexes in the workers.
      for (const key of ['Home', 'ArrowRight', 'ArrowRight'])
        await page.getByLabel('Every message before, by role').press(key);
      await page.getByRole('tab', { name: 'Handoff', exact: true }).click();
      await page.locator('.handoff-documents .line').first().waitFor(soon);
      await page.getByRole('tab', { name: 'All messages', exact: true }).click();
      await page.getByRole('searchbox', { name: 'Search the messages' }).fill('module-3');
      await expect.poll(() => page.locator('.message-list p').textContent(), soon).toMatch(/ of 1,003 messages$/);
      await page.getByRole('tab', { name: 'Message', exact: true }).click();
      const large = await measureHeaps(page);
      await page.locator('.sample select').selectOption('bisect-a-wrong-cent.json');
      await page.getByText('in 52 messages').waitFor();
      await view.settled();
      const after = await measureHeaps(page);
      const inMegabytes = (heaps: readonly Heap[]) =>
        heaps.map(({ name, usedBytes }) => `${name} ${(usedBytes / 1e6).toFixed(1)}`).join(', ');
      console.log(
        `heaps in MB, a small session: ${inMegabytes(before)}; a large one: ${inMegabytes(large)}; again: ${inMegabytes(after)}`,
      );
      const grown = total(large) - total(before);
      expect(grown).toBeGreaterThan(20_000_000);
      // Compiled code and small caches stay.
      expect(total(after) - total(before)).toBeLessThan(0.4 * grown);
    } finally {
      await view.close();
    }
  });
}

function total(heaps: readonly Heap[]): number {
  return heaps.reduce((sum, { usedBytes }) => sum + usedBytes, 0);
}
