/** What {@link storeCases} tests: a `SessionStore` of `@palimpsest/session` that is shared. */
export interface TestedStore {
  load(id: string): Promise<{ readonly text: string; readonly version: string } | null>;
  version(id: string): Promise<string | null>;
  save(id: string, text: string, before: string | null): Promise<string | null>;
  delete(id: string): Promise<void>;
  lease(name: string, forMs: number): Promise<(() => Promise<void>) | null>;
}

/**
 * Opens the store, as one process does. Each call returns a new object on the same data.
 * @param options `expireAfterMs`: a text that was not written for this time expires
 */
export type OpenStore = (options: { readonly expireAfterMs?: number }) => TestedStore | Promise<TestedStore>;

/** One requirement that a store must meet. */
export interface StoreCheck {
  readonly name: string;
  /** @param id begins all ids and names that the check uses. No other check uses it */
  readonly check: (open: OpenStore, id: string) => Promise<void>;
}

/** Texts that stores tend to change. */
export function textsOf(): readonly string[] {
  return [
    'one',
    '',
    '{"json": true}\nand a line\r\n',
    "it's; -- \\ $1 %s \u0001",
    'ä 漢 😀',
    'x'.repeat(300_000),
    'one',
  ];
}

/** Waits in real time: a database has its own clock. */
export function wait(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
