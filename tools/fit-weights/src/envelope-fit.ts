import { existsSync } from 'node:fs';
import { billables, mayFit, readBilled } from './billed.ts';
import { solveRidge } from './regression.ts';
import { textFeatures, weigh } from './text-features.ts';

/** Ratios of billed Claude tokens to counted tokens. */
export interface ClaudeScales {
  /** Billed tokens per o200k token of text. */
  readonly scale: number;
  /** Billed tokens per token of the open approximation of Claude's vocabulary. */
  readonly standInScale: number;
}

/** Results of the last fit on bills, used if none are available. */
const lastFit: ClaudeScales = { scale: 1.17, standInScale: 1.1 };

/**
 * Fits the text scale and envelopes of Claude on the growth of billed prompts. The fit is robust, since some growths
 * include content that the transcript does not show (reminders, thinking) and that must not be attributed to its text.
 */
export function fitEnvelope(dataFolder: string, weights: Float64Array, log: (line: string) => void): ClaudeScales {
  if (!existsSync(`${dataFolder}/tokens`)) return lastFit;
  const rows = readBilled(dataFolder, /claude/, 'anthropic-messages').filter(
    (row) => row.source === 'growth' && mayFit(row),
  );
  if (rows.length < 50) return lastFit;
  const parts = rows.map((row) => {
    const { texts, messages, calls, results } = billables(row.messages);
    return [weigh(textFeatures(texts), weights), messages, calls, results] as const;
  });
  let importance = Float64Array.from(rows, () => 1);
  let answer = [0, 0, 0, 0];
  for (let round = 0; round < 20; round++) {
    const solved = solveRidge({
      rows: parts.map((counts, at) => ({
        indices: Int32Array.of(0, 1, 2, 3),
        counts: Float64Array.from(counts, (count) => count / rows[at]!.tokens),
      })),
      targets: Float64Array.from(rows, () => 1),
      importance,
      features: [0, 1, 2, 3],
      ridge: 1e-6,
    });
    answer = [0, 1, 2, 3].map((at) => solved.get(at)!);
    // Least absolute deviations, by iterative reweighting.
    importance = Float64Array.from(parts, (counts, at) => {
      const error = Math.abs(
        counts.reduce((sum, count, part) => sum + count * answer[part]!, 0) / rows[at]!.tokens - 1,
      );
      return Math.sqrt(rows[at]!.tokens) / Math.max(error, 0.01);
    });
  }
  log(
    `\nClaude, ${rows.length} billed growths: text x ${answer[0]!.toFixed(3)}, message ${answer[1]!.toFixed(1)}, call ${answer[2]!.toFixed(1)}, result ${answer[3]!.toFixed(1)}`,
  );
  return { scale: Math.round(answer[0]! * 1000) / 1000, standInScale: lastFit.standInScale };
}
