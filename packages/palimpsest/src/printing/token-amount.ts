import { count } from '@palimpsest/command-line/count';

/** Formats a token count: `128K`, `1M`, `163,210`. */
export function tokenAmount(tokens: number): string {
  if (tokens >= 1_000_000 && tokens % 100_000 === 0) return `${tokens / 1_000_000}M`;
  return tokens >= 1_000 && tokens % 1_000 === 0 ? `${tokens / 1_000}K` : count(tokens);
}
