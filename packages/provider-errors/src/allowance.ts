import { countPattern, firstCount } from './count.ts';
import type { RequestSize } from './provider-error.ts';
import type { ErrorFacts } from './read-error.ts';

const limited: RegExp =
  /rate[_ -]?limit|ratelimit|too[_ ]many[_ ](?:concurrent[_ ])?requests|toomanyrequests|(?:tokens?|requests?) per (?:min|minute|hour|day|second)|\b[io]?tpm\b|\btpd\b|\brp[mds]\b|throttl|requests per|rate increased too quickly|concurrency limit|服务访问过于频繁|请求(?:过于)?频繁|频率限制|限流|速率限制|并发/;
const usageLimit: RegExp =
  /usage[_ ]limit|resource[_ ]exhausted|resource has been exhausted|quota exceeded for (?:quota )?metric/;
const denied: RegExp =
  /insufficient[_ ](?:user[_ ])?(?:quota|balance|credits?|funds|permission|scope)|exceeded[_ ](?:your[_ ])?current[_ ]quota|quota[_ ](?:exceeded|limit)|credit balance|payment required|requires more credits|(?:out of|no (?:more )?|not enough) credits|\bbilling\b|arrear|overdue|in good standing|budget (?:has been )?exceeded|budget_exceeded|spend(?:ing)? (?:limit|cap)|please recharge|recharge your|top up|no resource package|余额不足|欠费|充值|鉴权|无权限|api[_ -]?key[_ ](?:not valid|invalid|expired|is invalid|missing)|(?:invalid|incorrect|wrong|expired|missing|no)[_ ](?:x-)?api[_ -]?key|authentication[_ ](?:error|failed|fails)|permission[_ ](?:error|denied)|unauthori[sz]ed|unauthenticated|access[_ ]denied|accessdenied|not yet available for this subscription|account (?:is |has been )?(?:deactivated|suspended|disabled)|not supported in your (?:country|region)|location is not supported|security token|unrecognizedclient|usage_not_included|login fail|(?:access|auth\w*|bearer|id) token (?:is |has )?(?:invalid|expired)|token (?:has )?(?:been )?(?:expired|revoked)|expired ?token|reached your specified api usage limits/;
const overloaded: RegExp =
  /overloaded|(?:at|over|insufficient) capacity|temporarily unavailable|service[_ ]?unavailable|server (?:is )?busy|访问量过大|繁忙/;
const transient: RegExp = /try again|retry|resets?\b|wait\b/;
/** A limit per minute or day, followed by the tokens this request asks for. */
const asked: RegExp = countPattern(
  'limit:? <limit>\\b[^\\d\\n]{0,20}(?:used:? #[^\\d\\n]{0,20})?requested:? <requested>',
);
const perMinute: readonly RegExp[] = [
  countPattern('limit (?:of|is|:) ?<limit> (?:input |prompt )?tokens? per min'),
  countPattern('<limit> (?:input |prompt )?tokens? per min'),
  countPattern('tokens? per min\\w*[^\\d\\n]{0,20}limit:? <limit>'),
];
/** Anthropic bills prompts over its standard window separately, and refuses them where that is not enabled. */
const longContext: RegExp =
  /(?:extra usage|usage credits?|long context)[^.\n]{0,40}required for[^.\n]{0,20}(?:long context|this request)|required for long context/;
/** Anthropic's standard window in tokens: https://docs.anthropic.com/en/docs/build-with-claude/context-windows */
const standardWindow = 200_000;

/** A refusal because of rate, plan, access or load. `plan`: this request alone exceeds what the plan allows. */
export type Allowance =
  | { readonly kind: 'plan'; readonly tokens: number | null }
  | { readonly kind: 'rate-limit' | 'access' | 'server' };

/** Reads a refusal because of rate, plan, access or load; `null` when the error is about something else. */
export function allowanceIn({ status, text, codes }: ErrorFacts, request: RequestSize): Allowance | null {
  const words = `${[...codes].join('\n')}\n${text}`;
  if (longContext.test(words)) return { kind: 'plan', tokens: standardWindow };
  const isLimited = limited.test(words);
  if (isLimited) {
    const tokens = planLimit(text, request.promptTokens);
    if (tokens !== null) return { kind: 'plan', tokens: tokens || null };
  }
  if (status === 401) return { kind: 'access' };
  const passes = transient.test(words) && (isLimited || usageLimit.test(words));
  if (status === 402 || status === 403) return { kind: passes ? 'rate-limit' : 'access' };
  const isGoogle = codes.has('resource_exhausted');
  const isDenied = denied.test(words) || codes.has('1113') || codes.has('1008');
  if (isDenied && !isGoogle && !(isLimited && !/insufficient|balance|credit/.test(words))) return { kind: 'access' };
  if (status === 429 && !isLimited && overloaded.test(words)) return { kind: 'server' };
  if (status === 429 || isLimited || usageLimit.test(words)) return { kind: 'rate-limit' };
  return null;
}

/** The limit that one request alone exceeds; 0 when it is not stated, `null` when waiting helps. */
function planLimit(text: string, promptTokens: number | undefined): number | null {
  if (!/token/.test(text) && !/\btpm\b/.test(text)) return null;
  const limit = firstCount([asked], text, 'limit');
  const requested = firstCount([asked], text, 'requested');
  if (limit !== null && requested !== null) return requested > limit ? limit : null;
  const stated = firstCount(perMinute, text, 'limit');
  if (stated !== null && promptTokens !== undefined && promptTokens > stated) return stated;
  return /request too large|(?:message|input|output|prompt)[^.\n]{0,30}tokens must be reduced|reduce your message size/.test(
    text,
  )
    ? (stated ?? 0)
    : null;
}
