import type { Sample } from '@palimpsest/eval/inputs/sample';
import { comparisonHead, pageFoot } from '@palimpsest/eval/page/page';
import { sampleSection } from 'palimpsest/comparison/page/sample-section';
import type { InputPrices } from 'palimpsest/comparison/replay/input-cost';
import type { Replay } from 'palimpsest/comparison/replay/replay';
import { toComparison } from 'palimpsest/comparison/to-comparison';
import type { WindowChoice } from 'palimpsest/comparison/window-choice';
import { messagesOf, type SentPrompt } from './sent-prompt.ts';

/** The page that `compare --html` writes, about the end of replays. Secrets are masked. */
export function writeReport(
  sample: Sample,
  recorded: Replay,
  engines: readonly SentPrompt[],
  window: WindowChoice,
  prices: InputPrices,
): string {
  const results = engines.map((sent) => ({
    row: sent.row,
    replay: sent.replay,
    prompt: { messages: messagesOf(sent, sample.messages), provenance: sent.provenance, edits: sent.edits },
  }));
  const comparison = toComparison(sample, window, prices, recorded, results);
  return comparisonHead + sampleSection(sample, comparison, 1) + pageFoot;
}
