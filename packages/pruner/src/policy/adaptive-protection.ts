/** Tokens of tool output to protect by context length, from the two-phase proposal for Hermes Agent. */
const scale: readonly (readonly [contextLength: number, protect: number])[] = [
  [32_000, 10_000],
  [128_000, 40_000],
  [1_000_000, 100_000],
];

/**
 * Returns the tokens of tool output to protect: 10,000 for a window of 32K, 40,000 for 128K, 100,000 for 1M and more.
 * Linear in between, proportional below 32K.
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
