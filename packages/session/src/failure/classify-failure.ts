import { combinedLimit } from './combined-limit.ts';
import { contextOverflow } from './context-overflow.ts';
import { bodyFacts, type ErrorFacts, errorFacts } from './error-facts.ts';
import { mediaRefusal } from './media-refusal.ts';
import { outputCap } from './output-cap.ts';
import type { FailureAction, FailureClass, FailureContext, ProviderFailure } from './provider-failure.ts';

/** Less room than this for an answer is no answer: the prompt has to shrink instead. */
const leastOutput = 1_000;
/** A window under this is a figure misread. */
const leastLimit = 256;
/** A request that fills this share of the window, and is refused without a word, is taken to be too long. */
const nearlyFull = 0.8;

const limited: RegExp =
  /rate[_ -]?limit|too many requests|tokens? per (?:min|minute|hour|day)|\b[IO]?TPM\b|\bTPD\b|\bRPM\b|throttl|requests per|请求(?:过于)?频繁|频率限制|限流|速率限制/i;
const denied: RegExp =
  /insufficient[_ ](?:quota|balance|credits?|funds)|exceeded[_ ](?:your[_ ])?current[_ ]quota|quota[_ ](?:exceeded|limit)|usage limit|credit balance|payment required|requires more credits|billing|arrears|余额不足|欠费|invalid[_ ](?:x-)?api[_ -]?key|incorrect api key|authentication[_ ]error|permission[_ ](?:error|denied)|unauthori[sz]ed|not yet available for this subscription|extra usage is required/i;
const unreachable: RegExp =
  /ECONNRE|ENOTFOUND|EAI_AGAIN|EPIPE|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|UND_ERR|socket hang up|fetch failed|failed to fetch|network ?error|connection error|APIConnection|timed? ?out|terminated/i;

/** Classifies what a call of a provider threw: an SDK's error, a plain one, through its causes. Never throws. */
export function classifyFailure(error: unknown, context: FailureContext = {}): ProviderFailure {
  return classify(errorFacts(error), context);
}

/** Classifies an error response. `body` may be JSON, text, a web page, or empty. */
export function classifyResponse(status: number, body: string, context: FailureContext = {}): ProviderFailure {
  return classify(bodyFacts(status, body), context, body.trim() === '');
}

function classify(facts: ErrorFacts, context: FailureContext, empty = isEmpty(facts)): ProviderFailure {
  const { status, text, codes } = facts;
  const is = (
    name: FailureClass,
    action: FailureAction = 'none',
    figures: Partial<ProviderFailure> = {},
  ): ProviderFailure => ({
    ...unknownFigures,
    class: name,
    action,
    status,
    ...figures,
  });
  if (facts.cancelled) return is('cancelled');
  if (status === 401 || status === 402 || status === 403) return is('access');
  const words = `${[...codes].join('\n')}\n${text}`;
  if (status === 429 || limited.test(words)) return is('rate-limit');
  if (denied.test(words)) return is('access');
  if (status !== null && (status >= 500 || status === 408 || status === 409 || status === 425)) return is('server');
  const room = combinedLimit(text);
  if (room) {
    const left = room.limit - room.prompt;
    const figures = { limitTokens: room.limit, promptTokens: room.prompt };
    return left > 0 && left >= Math.min(room.output, leastOutput)
      ? is('output-cap', 'lower-output', { ...figures, outputTokens: left })
      : is('context-overflow', 'compress', figures);
  }
  const cap = outputCap(text, codes);
  if (cap !== null) return is('output-cap', 'lower-output', { outputTokens: cap === 'unknown' ? null : cap });
  const overflow = contextOverflow(facts);
  const media = mediaRefusal(facts);
  if (overflow && media?.of !== 'image')
    return is('context-overflow', 'compress', {
      limitTokens: plausible(overflow.limit),
      promptTokens: overflow.prompt,
    });
  if (media?.of === 'image')
    return is('image-too-large', 'strip-media', { limitBytes: media.bytes, limitPixels: media.pixels });
  const full = isNearlyFull(context);
  if (media)
    return full && media.bytes === null
      ? is('context-overflow', 'compress')
      : is('payload-too-large', 'strip-media', { limitBytes: media.bytes });
  if (status === 400 && empty && full) return is('context-overflow', 'compress');
  if (status !== null && status >= 400) return is('invalid-request');
  return unreachable.test(words) ? is('network') : is('unknown');
}

const unknownFigures = {
  limitTokens: null,
  promptTokens: null,
  outputTokens: null,
  limitBytes: null,
  limitPixels: null,
} as const;

/** SDKs say "400 status code (no body)". */
function isEmpty({ text }: ErrorFacts): boolean {
  return text === '' || /^\s{0,4}\d{3}\s{0,2}(?:status code)?\s{0,2}\(no body\)\s{0,4}$/i.test(text);
}

function isNearlyFull({ promptTokens, contextLength }: FailureContext): boolean {
  return promptTokens !== undefined && !!contextLength && promptTokens >= contextLength * nearlyFull;
}

function plausible(limit: number | null): number | null {
  return limit !== null && limit >= leastLimit ? limit : null;
}
