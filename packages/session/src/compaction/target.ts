/** Target sizes of successive passes, as shares of the room. */
const shares = [0.6, 0.45, 0.3] as const;

/**
 * The target size for a pass. Each pass asks for less than the one before.
 * @param room the most tokens the prompt may have
 * @param pass 1 for the first pass
 */
export function targetOfPass(room: number, pass: number): number {
  return Math.floor(room * shares[Math.max(0, Math.min(pass, shares.length) - 1)]!);
}
