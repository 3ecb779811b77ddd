import { OneAtATime } from './one-at-a-time.ts';

/** Runs the operations of a session one at a time. Opens the session before the first one. */
export class OperationQueue {
  readonly #line: OneAtATime = new OneAtATime();
  readonly #open: () => Promise<void>;
  readonly #beforeEach: () => Promise<void>;
  readonly #refresh: () => Promise<void>;
  #opening: Promise<void> | null = null;

  /**
   * @param open creates the engine and loads the stored state; called again if it fails
   * @param beforeEach called between operations
   * @param refresh called before each operation that begins with the newest state
   */
  constructor(open: () => Promise<void>, beforeEach: () => Promise<void>, refresh: () => Promise<void>) {
    this.#open = open;
    this.#beforeEach = beforeEach;
    this.#refresh = refresh;
  }

  get isBusy(): boolean {
    return this.#line.isBusy;
  }

  /** Runs an operation after the ones before it. @throws {PalimpsestError} `ABORTED` */
  run<T>(operation: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    return this.#line.run(async () => {
      await this.ensureOpen();
      await this.#beforeEach();
      await this.#refresh();
      return operation();
    }, signal);
  }

  /**
   * Runs an operation after the ones before it, but only if the session is open. Never opens it. The state may be older than
   * the one in the store.
   */
  runIfOpen(operation: () => Promise<void>): Promise<void> {
    return this.#line.run(async () => {
      const isOpen = await this.#opening?.then(
        () => true,
        () => false,
      );
      if (!isOpen) return;
      await this.#beforeEach();
      await operation();
    });
  }

  /** Opens the session, without waiting for other operations. */
  ensureOpen(): Promise<void> {
    this.#opening ??= this.#open().catch((error: unknown) => {
      this.#opening = null;
      throw error;
    });
    return this.#opening;
  }
}
