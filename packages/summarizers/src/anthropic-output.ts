/**
 * The most a model may put out, in tokens, by family. Anthropic requires `max_tokens` on every request, and anything
 * below a model's maximum can cut a thinking model off. Source: Anthropic's model overview, read in November 2025.
 */
const families: readonly (readonly [family: RegExp, tokens: number])[] = [
  [/claude-3-(?:opus|sonnet|haiku)/, 4_096],
  [/claude-3-5|claude-3\.5/, 8_192],
  [/claude-opus-4(?:-0|-1|-2025|@|$)|claude-4-opus/, 32_000],
];

/** Newer models put out at least this much; one that puts out less says so, and is believed. */
const newest = 64_000;

/** The maximum output of a model by its name. A new model that allows less answers 400 with its figure. */
export function maximumOutput(model: string): number {
  return families.find(([family]) => family.test(model))?.[1] ?? newest;
}

/**
 * What to ask for instead, read from a provider's refusal of `max_tokens`: the model's own maximum, or what the window
 * leaves beside the prompt. `null` when the error is about something else or leaves no room to speak of.
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
