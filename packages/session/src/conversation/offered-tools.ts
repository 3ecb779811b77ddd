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

  clear(): void {
    this.hasHostTools = false;
    this.isChat = false;
    this.#refusedBy.clear();
  }
}
