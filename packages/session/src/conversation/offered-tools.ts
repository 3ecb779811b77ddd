/** What is stored of {@link OfferedTools}. */
export interface OfferedSnapshot {
  readonly hasHostTools: boolean;
  /** Ids of models. */
  readonly refusedBy: readonly string[];
}

/** What a session remembers of its fetches about the tools that it adds to requests. */
export class OfferedTools {
  /** True if a request of the client had tools. One without them is then a side request, such as one for a title. */
  hasHostTools = false;
  /** True if the last request without tools of the client was sent with the session's. The next one is prepared with them first. */
  isChat = false;
  readonly #refusedBy: Set<string> = new Set();

  /** Remembers that a model refused requests because of the tools. */
  refuse(model: string): void {
    this.#refusedBy.add(model);
  }

  isRefusedBy(model: string): boolean {
    return this.#refusedBy.has(model);
  }

  snapshot(): OfferedSnapshot {
    return { hasHostTools: this.hasHostTools, refusedBy: [...this.#refusedBy] };
  }

  restore({ hasHostTools, refusedBy }: OfferedSnapshot): void {
    this.hasHostTools = hasHostTools;
    this.#refusedBy.clear();
    for (const model of refusedBy) this.#refusedBy.add(model);
  }

  clear(): void {
    this.hasHostTools = false;
    this.isChat = false;
    this.#refusedBy.clear();
  }
}
