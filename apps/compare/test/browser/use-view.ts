import type { Browser } from 'playwright-core';
import { expect } from 'vitest';
import { openView, type WebView } from './web-view.ts';

/** Opens the page, uses it, and checks that it had no problem and asked no other host. */
export async function useView(browser: Browser, address: string, use: (view: WebView) => Promise<void>): Promise<void> {
  const view = await openView(browser, address);
  try {
    await use(view);
    expect(view.problems).toEqual([]);
    expect(view.externalRequests).toEqual([]);
  } finally {
    await view.close();
  }
}
