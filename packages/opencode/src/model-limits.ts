import type { ModelLimit, OpencodeInput, OpencodeMessage } from './opencode-api.ts';

/** The model of a request. */
export interface UsedModel {
  readonly id: string;
  readonly limit: ModelLimit;
}

/** The limits of the models in opencode's configuration, read when a model is used for the first time. */
export class ModelLimits {
  readonly #client: OpencodeInput['client'];
  readonly #limits = new Map<string, ModelLimit>();

  constructor(client: OpencodeInput['client']) {
    this.#client = client;
  }

  /**
   * The model that the last message of the user names; `null` if it names none.
   * @throws {Error} for a model without a limit
   */
  async modelOf(messages: readonly OpencodeMessage[]): Promise<UsedModel | null> {
    const info = messages.findLast(({ info: { role } }) => role === 'user')?.info;
    const { model } = (info ?? {}) as { readonly model?: { readonly providerID: string; readonly modelID: string } };
    if (!model) return null;
    const name = `${model.providerID}/${model.modelID}`;
    if (!this.#limits.has(name)) await this.#read();
    const limit = this.#limits.get(name);
    if (limit) return { id: model.modelID, limit };
    throw new Error(
      `opencode states no limit for the model ${name}. Add "limit" to it in the configuration of opencode.`,
    );
  }

  async #read(): Promise<void> {
    const { data } = await this.#client.config.providers();
    for (const { id, models } of data?.providers ?? [])
      for (const [modelID, known] of Object.entries(models))
        if (known) this.#limits.set(`${id}/${modelID}`, known.limit);
  }
}
