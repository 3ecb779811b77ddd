/** The part of a context window that a prompt may fill. */
export interface UsableWindow {
  readonly usableTokens: number;
  /** One sentence if the reserve was ignored; otherwise empty. */
  readonly warnings: readonly string[];
}

/**
 * Subtracts the tokens reserved for the answer from a context window. A reserve as large as the window is ignored, with
 * a warning.
 */
export function usableWindow(contextLength: number, reserve: number): UsableWindow {
  if (reserve < contextLength) return { usableTokens: contextLength - reserve, warnings: [] };
  const warning = `The reserve of ${reserve} tokens is as large as the window of ${contextLength}; it is ignored.`;
  return { usableTokens: contextLength, warnings: contextLength > 0 ? [warning] : [] };
}
