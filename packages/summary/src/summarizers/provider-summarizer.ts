import { PalimpsestError, type SummarizeResponse, type Summarizer } from '@palimpsest/core';
import {
  anyRule,
  checkOptions,
  describeType,
  filledTextRule,
  type RulesOf,
  textRule,
  timeoutRule,
} from '@palimpsest/core/authoring';
import { classifyError } from '../model/summary-failure.ts';

/** Options that the summarizers of all providers have. */
export interface ProviderOptions<Client> {
  /** Name of the model at the provider or the compatible server, such as `gpt-5-mini` or `claude-haiku-4-5`. */
  readonly model: string;
  /** An existing client, with its own key and base URL. @default a client created from the options below */
  readonly client?: Client | undefined;
  /** The API key. @default `OPENAI_API_KEY` or `ANTHROPIC_API_KEY` in the environment, as the SDK reads it */
  readonly apiKey?: string | undefined;
  /** URL of a compatible server, such as Ollama, LM Studio, vLLM or OpenRouter. @default the provider's */
  readonly baseURL?: string | undefined;
  /** The model's context window in tokens. If set, a larger middle is summarized in parts. @default unknown */
  readonly contextLength?: number | undefined;
  /**
   * The longest wait for an answer, in milliseconds. A call without an answer by then counts as a failure of class
   * `transient`. @default the engine's limit, 120,000
   */
  readonly timeoutMs?: number | undefined;
  /** Name of the summarizer in reports. @default the provider and the model, such as `openai:gpt-5-mini` */
  readonly id?: string | undefined;
}

/** What is different from provider to provider. */
interface Provider<Client, Options> {
  readonly name: 'openai' | 'anthropic';
  /** The package of its SDK. */
  readonly sdk: string;
  /** The name of a model, for error messages. */
  readonly example: string;
  /** Rules of the options that only this provider has. */
  readonly rules: RulesOf<Omit<Options, keyof ProviderOptions<Client>>>;
  readonly load: () => Promise<{ readonly default: new (settings: { apiKey?: string; baseURL?: string }) => Client }>;
  readonly ask: (client: Client, prompt: string, signal: AbortSignal | undefined) => Promise<SummarizeResponse>;
}

function commonRules(example: string): RulesOf<ProviderOptions<unknown>> {
  return {
    model: {
      ...filledTextRule,
      expected: `the name of a model, such as ${JSON.stringify(example)}`,
      describe: (value) => (value === '' ? 'an empty string' : describeType(value)),
      isRequired: true,
    },
    client: anyRule,
    apiKey: textRule,
    baseURL: textRule,
    contextLength: {
      expected: 'a number of tokens above 0',
      isValid: (value) => typeof value === 'number' && value > 0,
    },
    timeoutMs: timeoutRule,
    id: textRule,
  };
}

/**
 * Creates a summarizer that calls a provider through its SDK, which is loaded at the first call.
 * @throws {PalimpsestError} `OPTION_INVALID`; `summarize` rejects with `SUMMARIZER_FAILED`, `DEPENDENCY_MISSING`, `ABORTED`
 */
export function providerSummarizer<Client, Options extends ProviderOptions<Client>>(
  { name, sdk, example, rules, load, ask }: Provider<Client, Options>,
  options: Options,
): Summarizer {
  const expected = `an object such as { model: ${JSON.stringify(example)} }`;
  checkOptions(`${name}Summarizer`, options, { ...commonRules(example), ...rules }, expected);
  const { apiKey, baseURL, contextLength, timeoutMs, id = `${name}:${options.model}` } = options;
  let client: Promise<Client> | undefined = options.client && Promise.resolve(options.client);
  const connect = async (): Promise<Client> => {
    const { default: Client } = await loadPackage(sdk, load);
    return new Client({ ...(apiKey !== undefined && { apiKey }), ...(baseURL !== undefined && { baseURL }) });
  };
  // A package or key that appears later is used.
  const forget = (error: unknown): never => {
    client = undefined;
    throw error;
  };
  return {
    id,
    contextLength,
    timeoutMs,
    async summarize({ prompt, signal: given }) {
      try {
        return await withTimeout(id, timeoutMs, given, async (signal) =>
          ask(await (client ??= connect().catch(forget)), prompt, signal),
        );
      } catch (error) {
        throw callFailure(id, error, given);
      }
    },
  };
}

/** The server does not speak the provider's protocol. @param expected what its answer should be */
export function notAnAnswer(expected: string): PalimpsestError {
  const details = { class: 'bad-output', reason: 'not JSON' };
  const message = `The answer of the server is not ${expected}. Check the base URL.`;
  return new PalimpsestError('SUMMARIZER_FAILED', message, details);
}

export function earlyCloseError(): PalimpsestError {
  const details = { class: 'network', reason: 'the stream ended early', closedStream: true };
  return new PalimpsestError('SUMMARIZER_FAILED', 'The stream ended before the answer was complete.', details);
}

/** Loads an optional peer dependency. @throws {PalimpsestError} `DEPENDENCY_MISSING` with the command that installs it */
async function loadPackage<T>(name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    const code = (cause as { code?: unknown } | null)?.code;
    if (code !== 'ERR_MODULE_NOT_FOUND' && code !== 'MODULE_NOT_FOUND') throw cause;
    const command = `npm install ${name}`;
    throw new PalimpsestError('DEPENDENCY_MISSING', `The package "${name}" is not installed. Run: ${command}`, {
      package: name,
      command,
    });
  }
}

/**
 * Makes a call that is cancelled after a time. Without a time, the engine's own limit applies.
 * @throws {PalimpsestError} `SUMMARIZER_FAILED` of class `transient` when the time is over, even if the call ignores its signal
 */
async function withTimeout<Result>(
  id: string,
  timeoutMs: number | undefined,
  given: AbortSignal | undefined,
  call: (signal: AbortSignal | undefined) => Promise<Result>,
): Promise<Result> {
  if (timeoutMs === undefined) return call(given);
  const controller = new AbortController();
  // `AbortSignal.any` is newer than Node 20.0.
  const follow = (): void => controller.abort(given?.reason);
  if (given?.aborted) follow();
  given?.addEventListener('abort', follow, { once: true });
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const reason = `no answer within ${timeoutMs} ms`;
      const details = { class: 'transient', reason };
      reject(new PalimpsestError('SUMMARIZER_FAILED', `The summarizer ${id} failed: ${reason}.`, details));
      controller.abort();
    }, timeoutMs);
  });
  try {
    return await Promise.race([call(controller.signal), late]);
  } finally {
    clearTimeout(timer);
    given?.removeEventListener('abort', follow);
  }
}

/**
 * Converts any failure of a call to the error that a summarizer rejects with. The provider's error is not kept as
 * `cause`, because its text may quote the conversation or a key, and errors are logged. `details` has what a retry needs.
 */
function callFailure(id: string, error: unknown, signal: AbortSignal | undefined): PalimpsestError {
  if (signal?.aborted) return new PalimpsestError('ABORTED', `The call of ${id} was cancelled.`);
  if (PalimpsestError.is(error)) return error;
  const { class: kind, reason, status = null, closedStream, retryAfterMs } = classifyError(error);
  const message = `The summarizer ${id} failed: ${kind} (${reason}).`;
  const details = { class: kind, reason, status, closedStream, retryAfterMs };
  return new PalimpsestError('SUMMARIZER_FAILED', message, details);
}
