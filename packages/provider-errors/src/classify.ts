import { allowanceIn } from './allowance.ts';
import { overflowIn } from './context-overflow.ts';
import { type Figures, figuresIn } from './figures.ts';
import { type MediaRefusal, mediaRefusal } from './media.ts';
import { leavesRoom, outputCapIn, roomBeside, roomIn } from './output-cap.ts';
import type { ProviderError, ProviderErrorKind, RequestSize } from './provider-error.ts';
import { type ErrorFacts, readError } from './read-error.ts';

const closed: RegExp =
  /econnreset|epipe|und_err_socket|err_stream_premature_close|premature|\bterminated\b|socket hang up|socket closed|other side closed|stream ended|closed (?:before|early|unexpectedly|connection)|connection (?:was |has been )?(?:closed|reset|lost|aborted)|without (?:sending|receiving)|server disconnected|network connection lost|unexpected eof|incomplete chunked read|remoteprotocolerror/;

const timedOut: RegExp =
  /etimedout|esockettimedout|und_err_\w{1,12}_timeout|timeouterror|timed? ?out|deadline exceeded/;

const connection: RegExp =
  /econnre|enotfound|eai_again|ehostunreach|enetunreach|enetdown|und_err|cert_|certificate|fetch failed|failed to fetch|network ?error|connection error|apiconnection|load failed/;

/** Smallest plausible window in tokens. A smaller figure means something else. */
const minLimitTokens = 256;
/** A failure without a reason counts as an overflow when the prompt fills this share of the window. */
const nearlyFull = 0.8;

const serverStatus = (status: number): boolean => status >= 500 || status === 408 || status === 409 || status === 425;
const serverWords: RegExp =
  /overloaded|server[_ ]error|api_error|service[_ ]?unavailable|internal[_ ](?:server[_ ])?error|internalserver|bad gateway|at capacity|try again later|temporarily unavailable|modelstreamerror/;
const invalidWords: RegExp =
  /invalid[_ ](?:params?|parameters?|request|argument)|validationexception|bad[_ ]?request|unprocessable/;
/** Generic messages that gateways and SDKs use when the provider gave no reason. */
const wordless: RegExp =
  /^(?:(?:error|bad request|bad_request|invalid request|invalid argument|unknown error|provider returned error|upstream error|upstream request failed|an? (?:unknown |unexpected )?error (?:has )?occurred|something went wrong|request failed|null|(?:http |google )?(?:request failed with )?(?:status code )?\d{3}(?: status code)?(?: \(no body\))?|\d{3} bad request|apierror|api error|param incorrect)[.:! ]{0,3})+$/;
/** LangChain's Google client drops the reason. In the reported cases it was an overflow. */
const googleWordless: RegExp = /^google request failed with status code 400$/;

/**
 * Classifies a failed call to a model provider: what an SDK threw, the `{ status, body }` of a response, or an error
 * event of a stream. Reads causes, gateway wrappers and JSON inside strings. Never throws. Time is linear in the size of
 * the error.
 *
 * @param error anything that was thrown, or `{ status, body }` with the body as text or JSON
 * @param request the size of the refused request, for errors that give no reason
 *
 * @example
 * const failure = classifyProviderError(error);
 * if (failure.kind === 'context-overflow') compact(failure.limitTokens);
 */
export function classifyProviderError(error: unknown, request: RequestSize = {}): ProviderError {
  return classify(readError(error), request);
}

type Outcome = Partial<ProviderError> & { readonly kind: ProviderErrorKind };

function classify(facts: ErrorFacts, request: RequestSize): ProviderError {
  const outcome = decide(facts, request);
  return { ...nothing, status: facts.status, code: facts.code, retryAfterMs: facts.retryAfterMs, ...outcome };
}

function decide(facts: ErrorFacts, request: RequestSize): Outcome {
  const { status } = facts;
  if (facts.cancelled) return { kind: 'cancelled' };
  const allowance = allowanceIn(facts, request);
  if (allowance?.kind === 'plan') return { kind: 'context-overflow', about: 'plan', planTokens: allowance.tokens };
  if (allowance) return { kind: allowance.kind };
  const isServers = status !== null && serverStatus(status);
  const subject = isServers ? null : subjectIn(facts);
  if (subject === 'reasoning' || subject === 'tool-content') return { kind: 'invalid-request', about: subject };
  const size = sizeRefusal(facts, request, isServers);
  if (size) return size;
  if (isServers) return { kind: 'server', about: status === 408 || status === 504 ? 'timeout' : null };
  if (isWordless(facts) && (isNearlyFull(request) || (!request.promptTokens && googleWordless.test(facts.text))))
    return { kind: 'context-overflow' };
  if (status !== null && status >= 400) return { kind: 'invalid-request', about: subject };
  return withoutStatus(facts, request, subject);
}

/** A refusal because of tokens, output, bytes or pixels; `null` when the error is about something else. */
function sizeRefusal(facts: ErrorFacts, request: RequestSize, isServers: boolean): Outcome | null {
  const figures = figuresIn(facts.messages);
  const overflow = overflowIn(facts, figures);
  // A failing server may suggest a shorter prompt in passing, so only a conclusive statement counts.
  if (isServers && overflow !== 'conclusive') return null;
  const media = mediaRefusal(facts);
  if (media?.isCount) return mediaOutcome(media, request);
  const beside = overflow === 'conclusive' ? roomBeside(figures, facts.text, request.promptTokens) : null;
  const room = figures.output === null ? beside : roomIn(figures, request.promptTokens);
  if (room) {
    const sizes = { limitTokens: room.limit, promptTokens: room.prompt };
    const isKnown = room.prompt !== null || request.promptTokens !== undefined;
    return leavesRoom(room)
      ? { kind: 'output-cap', ...sizes, outputTokens: isKnown ? room.left : null }
      : { kind: 'context-overflow', ...sizes };
  }
  const cap = outputCapIn(facts, figures);
  if (cap !== null) return { kind: 'output-cap', outputTokens: cap === 'unknown' ? null : cap };
  const inTokens = overflow === 'conclusive' || (facts.status !== 413 && overflow !== null);
  if (inTokens && media?.of !== 'image') return { kind: 'context-overflow', ...sizesOf(figures, facts) };
  return media && mediaOutcome(media, request);
}

function mediaOutcome({ of, bytes, pixels }: MediaRefusal, request: RequestSize): Outcome {
  if (of === 'image') return { kind: 'image-too-large', limitBytes: bytes, limitPixels: pixels };
  if (bytes === null && isNearlyFull(request)) return { kind: 'context-overflow' };
  return { kind: 'payload-too-large', limitBytes: bytes };
}

function sizesOf({ limit, prompt }: Figures, { figures }: ErrorFacts): Partial<ProviderError> {
  const limitTokens = limit ?? figures.get('n_ctx') ?? null;
  const isLimit = limitTokens !== null && limitTokens >= minLimitTokens;
  return {
    limitTokens: isLimit ? limitTokens : null,
    promptTokens: prompt ?? figures.get('n_prompt_tokens') ?? null,
  };
}

function withoutStatus(facts: ErrorFacts, request: RequestSize, subject: ProviderError['about']): Outcome {
  if (facts.notJson) return { kind: 'unknown', about: 'not-json' };
  const connection = connectionIn(facts);
  // Some servers close the connection when a request is too long.
  if (connection === 'closed' && isNearlyFull(request)) return { kind: 'context-overflow' };
  if (connection === 'closed' || connection === 'timeout') return { kind: 'network', about: connection };
  const words = `${[...facts.codes].join('\n')}\n${facts.text}`;
  if (serverWords.test(words)) return { kind: 'server' };
  if (connection) return { kind: 'network' };
  const isInvalid = subject !== null || invalidWords.test(words);
  return isInvalid ? { kind: 'invalid-request', about: subject } : { kind: 'unknown' };
}

function isWordless({ status, text }: ErrorFacts): boolean {
  return status === 400 && text.split('\n').every((line) => line === '' || wordless.test(line));
}

function isNearlyFull({ promptTokens, contextLength }: RequestSize): boolean {
  return promptTokens !== undefined && !!contextLength && promptTokens >= contextLength * nearlyFull;
}

const nothing: Omit<ProviderError, 'kind'> = {
  about: null,
  status: null,
  code: null,
  limitTokens: null,
  promptTokens: null,
  outputTokens: null,
  planTokens: null,
  limitBytes: null,
  limitPixels: null,
  retryAfterMs: null,
};

/** How the connection failed; `null` when the error does not mention a connection. */
function connectionIn({ text, codes }: ErrorFacts): 'closed' | 'timeout' | 'unreachable' | null {
  const words = `${[...codes].join('\n')}\n${text}`;
  if (closed.test(words)) return 'closed';
  if (timedOut.test(words)) return 'timeout';
  return connection.test(words) ? 'unreachable' : null;
}

const reasoning: RegExp =
  /invalid_encrypted_content|encrypted[ _]content\b[^\n]{0,160}(?:could not be|invalid|not valid|cannot be|failed)|(?:invalid|corrupted|bad|unverifiable)[^.\n]{0,30}(?:thought|thinking|reasoning)[ _]?(?:block |content )?signature|(?:invalid|not valid|mismatch)[^\n]{0,40}signature[^\n]{0,40}thinking|thinking[^\n]{0,60}signature[^\n]{0,40}(?:invalid|not valid|mismatch|failed|verif)|signature: field required|thought[ _]signature (?:is )?(?:not valid|invalid)|thinking\b[^.\n]{0,60}\bblocks?\b[^.\n]{0,80}(?:cannot be modified|must remain)|of type reasoning was provided without|item with id rs_\S{1,80} not found|reasoning item[^.\n]{0,60}(?:not found|without|invalid)/;
/** A refusal with these words is about another field of a message, or about content that is missing. */
const otherField: RegExp = /tool_(?:call|use)_id|\barguments\b|\b(?:name|description)\b|\bempty\b/;
const subject = String.raw`(?:\bcontent\b|\btool\b|\b(?:input_)?messages?[.[]\S{0,60}|\bmessages?\.content\b)`;
const requires = String.raw`\b(?:must|should|has to|have to|needs? to|can only|may only|only|expect(?:s|ed)?|requires?|not|is no)\b`;
const plain = String.raw`\b(?:strings?|str|plain text|text only|only text|text(?=[.,;]|$| (?:but|instead)))\b(?! (?:with|of|no|that|at|up|shorter|longer)\b)`;
const list = String.raw`\b(?:list|array|sequence|slice|parts)\b`;

/** Sentences that say content must be a text, but is a list of parts or an image. */
const toolContent: readonly RegExp[] = [
  // "tool content must be a string", "messages[3].content: value must be a string", "tool messages only support string content"
  new RegExp(String.raw`${subject}[^.\n]{0,80}?${requires}[^.\n]{0,40}?${plain}`),
  // "expected string for tool message content, received array", "cannot unmarshal array into ... messages.content of type string"
  /(?:expected|requires|needs) (?:a |an )?(?:valid )?(?:string|str)\b[^.\n]{0,60}?\bcontent\b/,
  new RegExp(String.raw`unmarshal ${list} into\b[^\n]{0,120}?\bcontent\b[^\n]{0,40}? of type string`),
  // "expected a string, got an array", "invalid type: sequence, expected a string", "list is not supported as tool content"
  new RegExp(
    String.raw`expected (?:a )?(?:string|str),? (?:but )?(?:got|received|found) (?:a |an )?${list}|invalid type: sequence, expected a string|${list} (?:content )?(?:is|are) not (?:supported|allowed|accepted)[^.\n]{0,40}?\b(?:tool|content)\b|\b(?:tool|content)\b[^.\n]{0,40}?\b(?:cannot|must not|may not|can not) be (?:a |an )?${list}`,
  ),
  // Pydantic, where the field is in a separate place or left out.
  /input should be a valid string|str type expected/,
  // Xiaomi MiMo
  /text is not set/,
  // Images in the result of a tool.
  /image urls are only allowed for messages with role user|unknown variant image_url, expected text|role tool[^.\n]{0,60}(?:does not support|contains an image|only (?:supports )?text)|only text tool_result blocks/,
];
const noModel: RegExp =
  /model[_ ]not[_ ](?:found|available|supported)|unknown model|no such model|invalid model\b|(?:not a |is not a )valid model|model .{0,100}(?:does not exist|not found|is not supported|is not available)|deployment.{0,40}not found/;

/** The part of a request that a provider does not accept; `null` when the error is about something else. */
function subjectIn({ status, text, codes }: ErrorFacts): 'reasoning' | 'tool-content' | 'model' | null {
  const words = `${[...codes].join('\n')}\n${text}`;
  if (reasoning.test(words)) return 'reasoning';
  if (isToolContent(text)) return 'tool-content';
  return status === 404 || noModel.test(words) ? 'model' : null;
}

function isToolContent(text: string): boolean {
  return text.split('\n').some((line) => !otherField.test(line) && toolContent.some((pattern) => pattern.test(line)));
}
