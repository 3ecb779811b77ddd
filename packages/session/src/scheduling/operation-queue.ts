import { OneAtATime } from './one-at-a-time.ts';

/** Runs the operations of a session one at a time. Opens the session before the first one. */
export class OperationQueue {
  readonly #line: OneAtATime = new OneAtATime();
  readonly #open: () => Promise<void>;
  readonly #beforeEach: () => Promise<void>;
  #opening: Promise<void> | null = null;

  /**
   * @param open creates the engine and loads the stored state; called again if it fails
   * @param beforeEach called between operations
   */
  constructor(open: () => Promise<void>, beforeEach: () => Promise<void>) {
    this.#open = open;
    this.#beforeEach = beforeEach;
  }

  get isBusy(): boolean {
    return this.#line.isBusy;
  }

  /** Runs an operation after the ones before it. @throws {PalimpsestError} `ABORTED` */
  run<T>(operation: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    return this.#line.run(async () => {
      await this.ensureOpen();
      await this.#beforeEach();
      return operation();
    }, signal);
  }

  /** Runs an operation after the ones before it, but only if the session is open. Never opens it. */
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
