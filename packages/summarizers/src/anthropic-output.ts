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

/** Returns the maximum output of a model in tokens, by the model's name. */
export function maximumOutput(model: string): number {
  return families.find(([family]) => family.test(model))?.[1] ?? newestMaximum;
}

/**
 * Reads a lower `max_tokens` from a provider's error: the model's own maximum, or the room that the prompt leaves in the
 * window. `null` if the error has another cause or leaves less than 1,024 tokens.
 */
export function lowerMaximum(error: unknown, asked: number): number | null {
  const { status, message } = (error ?? {}) as { status?: unknown; message?: unknown };
  if (status !== 400 || typeof message !== 'string') return null;
  const text = message.slice(0, 2_000);
  const own = /max_tokens: \d{1,9} > (\d{1,9})/.exec(text);
  if (own) return accepted(Number(own[1]), asked);
  const window = /input length and `?max_tokens`? exceed context limit: (\d{1,9}) \+ \d{1,9} > (\d{1,9})/.exec(text);
  return window ? accepted(Number(window[2]) - Number(window[1]), asked) : null;
}

function accepted(tokens: number, asked: number): number | null {
  return tokens >= 1_024 && tokens < asked ? tokens : null;
}
