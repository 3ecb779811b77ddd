import type { Body } from '@palimpsest/formats/wire';
import { compactionBetas } from './anthropic-answers.ts';

/** Milliseconds until an upstream that has refused is asked again: it may have learned since. */
const refusedForMs = 3_600_000;
const maxRefusing = 1_000;

/** Where the proxy serves compaction, because the upstream has refused it. */
export class ServedAddresses {
  /** True if it is served everywhere, also where the upstream may know it. */
  readonly #isAlways: boolean;
  /** When each is tried again. The oldest first. */
  readonly #refusing = new Map<string, number>();

  constructor(isAlways: boolean) {
    this.#isAlways = isAlways;
  }

  get isEmpty(): boolean {
    return !this.#isAlways && this.#refusing.size === 0;
  }

  /** @param address see {@link addressOf} */
  has(address: string): boolean {
    return this.#isAlways || (this.#refusing.get(address) ?? 0) > Date.now();
  }

  add(address: string): void {
    this.#refusing.set(address, Date.now() + refusedForMs);
    if (this.#refusing.size > maxRefusing) this.#refusing.delete(this.#refusing.keys().next().value!);
  }

  delete(address: string): void {
    this.#refusing.delete(address);
  }
}

/**
 * What an upstream refuses: a feature at an address, for a model, with these betas. Gateways send models to different
 * providers, and a client may name a beta that does not exist.
 */
export function addressOf({ origin, pathname }: URL, { model }: Body, headers: Headers): string {
  return `${origin}${pathname} ${String(model).slice(0, 200)} ${compactionBetas(headers).join(' ').slice(0, 200)}`;
}
