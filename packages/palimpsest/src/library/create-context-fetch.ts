import { type ModelInfo, PalimpsestError } from '@palimpsest/core';
import {
  anyRule,
  checkOptions,
  filledTextRule,
  functionRule,
  isRecord,
  type OptionRules,
  suggestName,
  withOptionOwner,
} from '@palimpsest/core/authoring';
import { createRegistry, type EngineChoice, engineRule } from '@palimpsest/registry';
import { createSession, type Session, type SessionOptions, sessionRules } from '@palimpsest/session';
import { type AwsCredentialSource, contextFetch, type FetchFunction, type WireFormat } from '@palimpsest/session/fetch';
import { loadModelCounter } from '@palimpsest/tokens/images';
import { loadModelRegistry } from '@palimpsest/tokens/models';
import { findModel, loadModelWindows } from './model-windows.ts';

/** A `fetch` for the client of one conversation, with the session behind it. */
export type ContextFetch = FetchFunction & {
  /** The conversation: status, records of its compactions, events, `compact`, `undo`, `end`. */
  readonly session: Session;
};

/** All options of a session may be given; `model` is the only one required. */
export interface CreateContextFetchOptions extends Omit<SessionOptions, 'engine' | 'model' | 'recall'>, EngineChoice {
  /**
   * The model's id, such as `'gpt-5'` or `'claude-sonnet-4-6'`. Its context window is looked up. For an unknown model,
   * or a smaller window, pass `{ id, contextLength }`.
   */
  readonly model: string | ModelInfo;
  /** The function that makes the calls. @default the global `fetch` */
  readonly fetch?: FetchFunction | undefined;
  /** The format of every body, for a gateway with its own paths. @default detected from path and body */
  readonly format?: WireFormat | undefined;
  /**
   * The credentials with which changed requests to Bedrock are signed again. @default those of the environment, if they are
   * those of the client
   */
  readonly aws?: AwsCredentialSource | undefined;
  /**
   * Lets the model search what was removed. Its calls are answered inside the fetch, and your client never sees them. By
   * default, your own tools named `recall` or `expand` replace them; with `true`, such a tool is an error.
   * @default on
   */
  readonly recall?: SessionOptions['recall'];
}

const optionRules: OptionRules = {
  ...sessionRules,
  model: {
    expected: "a model's id, such as 'gpt-5', or { id, contextLength }",
    isValid: (value) => filledTextRule.isValid(value) || isRecord(value),
    isRequired: true,
  },
  engine: engineRule,
  fetch: functionRule,
  // `contextFetch` checks it.
  format: anyRule,
  aws: anyRule,
};

/** Named in errors about options. */
const owner = 'createContextFetch';

/**
 * Creates a `fetch` that keeps one conversation inside its model's context window. Pass it to the client of `openai`,
 * `@anthropic-ai/sdk` or a provider of the AI SDK, and keep sending the whole history. If the model was given by its
 * id, requests that name another known model get that model's window.
 *
 * @example
 * const client = new OpenAI({ fetch: await createContextFetch({ model: 'gpt-5' }) });
 * @throws {PalimpsestError} `OPTION_INVALID` for an unknown model or option, `ENGINE_UNKNOWN`
 */
export async function createContextFetch(options: CreateContextFetchOptions): Promise<ContextFetch> {
  checkOptions(owner, options, optionRules, "an object with a model, such as { model: 'gpt-5' }");
  const { model, engine, fetch, format, aws, recall, ...own } = options;
  const registry = createRegistry();
  const { main, modelOf, prices } = await modelsOf(model);
  const tokens = options.tokens ?? (await loadModelCounter());
  const session = withOptionOwner(owner, () =>
    createSession({
      ...own,
      prices: own.prices ?? prices,
      tokens,
      recall,
      engine: (host) => registry.create(engine, host),
      model: main,
    }),
  );
  // Creates the engine, so that a mistake in the options is reported here and not by the first request.
  await session.engine().catch(rethrowUnknownEngine);
  const prepared = withOptionOwner(owner, () =>
    contextFetch(session, {
      fetch,
      format,
      aws,
      model: modelOf,
      recall: recall === undefined ? undefined : recall !== false,
    }),
  );
  return Object.assign(prepared, { session });
}

/** Replaces the registry's advice for an unknown engine: a registry cannot be passed here. */
function rethrowUnknownEngine(error: unknown): never {
  if (!PalimpsestError.is(error) || error.code !== 'ENGINE_UNKNOWN') throw error;
  const { name, known, nearest } = error.details as {
    readonly name: string;
    readonly known: readonly string[];
    readonly nearest: string | null;
  };
  throw new PalimpsestError(
    error.code,
    `There is no built-in engine "${name}".${suggestName(nearest)} Built in: ${known.map((one) => `"${one}"`).join(', ')}. For an engine of your own, create the session with createSession of '@palimpsest/session' and pass it to contextFetch of '@palimpsest/session/fetch'.`,
    error.details,
    { cause: error },
  );
}

/** The models of a session, and their prices if they were looked up. */
interface Models extends Pick<SessionOptions, 'prices'> {
  readonly main: ModelInfo;
  /** Finds the model that a request names. */
  readonly modelOf?: ((id: string) => ModelInfo) | undefined;
}

/** Looks up a model that was given by its id. A window that was passed applies to all requests. */
async function modelsOf(model: string | ModelInfo): Promise<Models> {
  if (typeof model !== 'string') return { main: model };
  const windows = await loadModelWindows();
  const registry = await loadModelRegistry();
  const main = findModel(windows, model);
  return { main, modelOf: (id) => windows(id) ?? main, prices: (id) => registry.prices(id) };
}
