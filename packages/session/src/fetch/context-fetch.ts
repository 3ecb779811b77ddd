import type { ModelInfo } from '@palimpsest/core';
import {
  checkOptions,
  choiceRule,
  describeType,
  functionRule,
  invalidOption,
  isRecord,
  methodsRule,
  type RulesOf,
  switchRule,
} from '@palimpsest/core/authoring';
import { type Body, type Wire, type WireFormat, wireAt, wireFormats, wireNamed } from '@palimpsest/formats/wire';
import type { Session } from '../session.ts';
import { type AwsCredentialSource, type AwsSigner, createAwsSigner, isAwsSigned, signCalls } from './aws-signer.ts';
import {
  type DecodedRequest,
  type FetchFunction,
  type FetchSettings,
  fetchWithRecovery,
} from './fetch-with-recovery.ts';
import { type Outgoing, readOutgoing } from './outgoing.ts';
import type { ProviderCompaction } from './provider-compaction.ts';
import { requestModels } from './request-window.ts';
import { answerToolCalls } from './tool-rounds/answer-tool-calls.ts';
import { ToolRounds } from './tool-rounds/tool-rounds.ts';
import { watchAnswer } from './watch-reply.ts';

export interface ContextFetchOptions {
  /** The function that makes the calls. @default the global `fetch`, looked up for each call */
  readonly fetch?: FetchFunction | undefined;
  /** The format of every body, for a gateway with its own paths. @default detected from path and body */
  readonly format?: WireFormat | undefined;
  /**
   * Returns the window of the model that a body names, for an agent that changes models. `undefined` keeps the session's
   * model. @default the session's model is used for every body
   */
  readonly model?: ((id: string) => ModelInfo | undefined) | undefined;
  /**
   * Adds the tools `recall` and `expand` to requests that have tools, and answers their calls inside the fetch, in further
   * requests: the client never sees them. The same for the tool `compact`. A chat without tools gets them once something
   * was removed from it. `true` is an error if the session has none of these tools. @default true if the session has them
   */
  readonly recall?: boolean | undefined;
  /**
   * The credentials with which a request to Bedrock is signed again when it was changed. Needs the packages
   * `@smithy/signature-v4` and `@aws-crypto/sha256-js`; API keys of Bedrock need neither. @default those of the environment,
   * found by `@aws-sdk/credential-providers`, if they have the client's access key. `false`: signed requests are not changed
   */
  readonly aws?: AwsCredentialSource | false | undefined;
  /** The provider's own compaction, made by `nativeCompaction` of `@palimpsest/native`. @default none */
  readonly native?: ProviderCompaction | undefined;
}

/**
 * Creates a `fetch` for the client of one conversation. The session prepares the requests and learns from the replies; a
 * refusal for size is followed by a smaller request, and every refusal is reported by a `request-refused` event. Works with
 * every method of a client, including streaming. Other requests are sent unchanged. If one looks like a request to a model,
 * a `request-passed-through` event says why it was not prepared.
 *
 * @example
 * const client = new OpenAI({ fetch: contextFetch(session) });
 * @throws {PalimpsestError} `OPTION_INVALID` for an unknown option or format
 */
export function contextFetch(session: Session, options: ContextFetchOptions = {}): FetchFunction {
  if (typeof session?.beforeRequest !== 'function')
    throw invalidOption('session', 'a session, made by createSession', describeType(session), {
      owner: 'contextFetch',
    });
  checkOptions('contextFetch', options, optionRules);
  const call: FetchFunction = (input, init) => (options.fetch ?? globalThis.fetch)(input, init);
  const { aws, native } = options;
  const model = requestModels(session, options.model);
  const signer = aws === false ? null : createAwsSigner(aws);
  session.adapter.attachPages();
  return async (input, init) => {
    const outgoing = await readOutgoing(input, init);
    const asked = outgoing && (await read(session, outgoing, signer, options));
    if (!asked) return call(input, init);
    const error = asked.wire.wholeHistoryError(asked.original);
    if (error) return Response.json(error.body, { status: error.status });
    const { recall: isAsked } = options;
    const isSigned = signer !== null && isAwsSigned(asked.outgoing.headers);
    const settings: FetchSettings = { call: isSigned ? signCalls(signer, asked.outgoing, call) : call, model, native };
    const rounds = isAsked === false ? null : await ToolRounds.open(session, asked, settings, isAsked);
    if (rounds) return answerToolCalls(session, asked, rounds);
    const sent = await fetchWithRecovery(session, asked, settings);
    return sent.reply.ok ? watchAnswer(session, asked, sent) : sent.reply;
  };
}

const optionRules: RulesOf<ContextFetchOptions> = {
  fetch: functionRule,
  format: choiceRule(wireFormats),
  model: functionRule,
  aws: {
    expected: 'AWS credentials, a function that returns them, or false',
    isValid: (value) =>
      value === false || typeof value === 'function' || (isRecord(value) && typeof value.accessKeyId === 'string'),
  },
  recall: switchRule,
  native: methodsRule('the compaction of @palimpsest/native', 'apply', 'noteRejection'),
};

async function read(
  session: Session,
  outgoing: Outgoing,
  signer: AwsSigner | null,
  options: ContextFetchOptions,
): Promise<DecodedRequest | null> {
  const body = parseObject(outgoing.body);
  if (!body) return null;
  const { headers, url } = outgoing;
  const wire = options.format && !isOtherPath(url) ? wireNamed(options.format) : wireAt(url);
  if (!wire?.itemsOf(body)) {
    const reason = reasonUnprepared(outgoing, body);
    if (reason !== null) session.notePassedThrough(reason);
    return null;
  }
  const isSigned = isAwsSigned(headers);
  if (isSigned && !signer) return null;
  const obstacle = isSigned ? await signer!.obstacle(headers) : null;
  if (obstacle !== null) {
    session.notePassedThrough(
      `The request is signed for AWS, and cannot be signed again if it is changed. ${obstacle}`,
    );
    return null;
  }
  // A stored session knows the calls that were answered inside earlier fetches.
  if (options.recall !== false) await session.adapter.refresh();
  const list = body[wire.list];
  const original = Array.isArray(list) ? { ...body, [wire.list]: session.adapter.remember<unknown>(list) } : body;
  try {
    const decoded = wire.codec.decode(options.recall !== false ? withPutBack(session, wire, original) : original);
    if (!decoded.continues) return { outgoing, wire, original, facts: wire.factsOf(original, url), decoded };
    session.notePassedThrough(reasonContinued(decoded.continues));
  } catch (error) {
    session.notePassedThrough(error instanceof Error ? error.message : 'The conversation cannot be read.');
  }
  return null;
}

/** Why a request whose history is only partly in its body is not prepared. */
function reasonContinued(field: string): string {
  return field === 'cachedContent'
    ? 'The beginning of the conversation is in a cache of the provider ("cachedContent"), so it is not visible here. Send the whole conversation instead: the provider caches its beginning by itself.'
    : `The request continues a conversation that the provider stores ("${field}"), so its messages are not visible here. Send the whole input instead, with "store": false.`;
}

/** The body with the calls that were answered inside earlier fetches. */
function withPutBack(session: Session, wire: Wire, body: Body): Body {
  const given = body[wire.list];
  if (!Array.isArray(given)) return body;
  const whole = session.adapter.rounds.apply(wire, given);
  return whole === given ? body : { ...body, [wire.list]: whole };
}

/** The body as an object; `null` for anything else. */
function parseObject(body: string | Uint8Array): Body | null {
  try {
    const value: unknown = JSON.parse(typeof body === 'string' ? body : new TextDecoder().decode(body));
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}

/** Paths whose bodies look like requests to a model, although no answer is written: counts, embeddings, pictures, speech. */
const otherPaths: RegExp =
  /[/:](?:count_?tokens|input_tokens|tokeni[sz]e|apply-template|embed|moderation|rerank|pooling|classify|score|image|audio|video|speech)/i;

const maxPathLength = 100;

/** True for an address at which no model answers, whatever the body looks like. */
function isOtherPath({ pathname }: Pick<URL, 'pathname'>): boolean {
  return otherPaths.test(pathname);
}

/**
 * Why a request to a model could not be prepared; `null` for any other request. A request to a model has a list of
 * `messages`, `input` items or `contents`, or a `prompt`.
 */
function reasonUnprepared({ url }: Pick<Outgoing, 'url'>, body: Body): string | null {
  const { pathname } = url;
  if (isOtherPath(url)) return null;
  const hasMessages = wireFormats.some((format) => isConversation(body[wireNamed(format).list]));
  if (!hasMessages && !isPrompt(body.prompt)) return null;
  const where = pathname.slice(0, maxPathLength);
  return hasMessages
    ? `The format of a body for the path "${where}" is not known. If it has one of the supported formats, name it with the option format: ${wireFormats.map((format) => `'${format}'`).join(', ')}.`
    : `A body for the path "${where}" has none of the supported formats: ${wireFormats.join(', ')}. Use an endpoint of one of them.`;
}

/** True for a list of objects with the fields of messages: `role`, or the `parts` of Gemini's. */
function isConversation(list: unknown): boolean {
  return (
    Array.isArray(list) &&
    list.some((item) => typeof item === 'object' && item !== null && ('role' in item || 'parts' in item))
  );
}

function isPrompt(prompt: unknown): boolean {
  return (typeof prompt === 'string' && prompt !== '') || (Array.isArray(prompt) && prompt.length > 0);
}
