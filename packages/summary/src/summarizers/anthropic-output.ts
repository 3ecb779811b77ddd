/**
 * Maximum output of a model in tokens, by family. Anthropic requires `max_tokens` in every request, and a value below
 * the model's maximum can cut off a thinking model. Source: Anthropic's model overview, read in November 2025.
 */
const families: readonly (readonly [family: RegExp, tokens: number])[] = [
  [/claude-3-(?:opus|sonnet|haiku)/, 4_096],
  [/claude-3-5|claude-3\.5/, 8_192],
  [/claude-opus-4(?:-0|-1|-2025|@|$)|claude-4-opus/, 32_000],
];

/** Maximum output of newer models. A model that allows less returns an error with its maximum, which is then used. */
const newestMaximum = 64_000;

/** Returns the maximum output of a model in tokens, by the model's name: at most half of its window, if that is known. */
export function maximumOutput(model: string, contextLength: number = Number.POSITIVE_INFINITY): number {
  const own = families.find(([family]) => family.test(model))?.[1] ?? newestMaximum;
  return Math.min(own, halfOf(contextLength));
}

/** A `max_tokens` that a provider accepts, in tokens. */
export interface AcceptedOutput {
  /** For the request that was refused. */
  readonly now: number;
  /** For later requests, whose prompts have another length. */
  readonly later: number;
}

/**
 * Reads a lower `max_tokens` from a provider's error: the model's own maximum, or the room that the prompt leaves in the
 * window. `null` if the error has another cause or leaves less than 1,024 tokens.
 */
export function lowerMaximum(error: unknown, asked: number): AcceptedOutput | null {
  const { status, message } = (error ?? {}) as { status?: unknown; message?: unknown };
  if (status !== 400 || typeof message !== 'string') return null;
  const text = message.slice(0, 2_000);
  const own = /max_tokens: \d{1,9} > (\d{1,9})/.exec(text);
  if (own) return toAccepted(Number(own[1]), Number(own[1]), asked);
  const window = /input length and `?max_tokens`? exceed context limit: (\d{1,9}) \+ \d{1,9} > (\d{1,9})/.exec(text);
  if (!window) return null;
  const [input, length] = [Number(window[1]), Number(window[2])];
  return toAccepted(length - input, halfOf(length), asked);
}

function toAccepted(now: number, later: number, asked: number): AcceptedOutput | null {
  return now >= 1_024 && now < asked ? { now, later: Math.min(later, asked) } : null;
}

/** The largest answer that leaves room for a prompt of the same length. */
function halfOf(contextLength: number): number {
  return Math.floor(contextLength / 2);
}
