/** Tokens of tool output to protect by context length, from the two-phase proposal for Hermes Agent. */
const scale: readonly (readonly [contextLength: number, protect: number])[] = [
  [32_000, 10_000],
  [128_000, 40_000],
  [1_000_000, 100_000],
];

/**
 * Tokens of tool output to protect in a window: 10,000 of 32K, 40,000 of 128K, 100,000 of 1M and more. Linear between
 * these, and in proportion below 32K.
 * @param contextLength the model's window, in tokens
 */
export function adaptiveProtect(contextLength: number): number {
  let [window, protect] = [0, 0];
  for (const [nextWindow, nextProtect] of scale) {
    if (contextLength <= nextWindow)
      return Math.round(protect + ((contextLength - window) / (nextWindow - window)) * (nextProtect - protect));
    [window, protect] = [nextWindow, nextProtect];
  }
  return protect;
}
