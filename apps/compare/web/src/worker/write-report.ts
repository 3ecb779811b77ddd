import { pageFoot, pageHead } from '@palimpsest/comparison/page/page';
import { sampleSection } from '@palimpsest/comparison/page/sample-section';
import type { InputPrices } from '@palimpsest/comparison/replay/input-cost';
import type { Replay } from '@palimpsest/comparison/replay/replay';
import { replayFigures } from '@palimpsest/comparison/replay/replay-figures';
import type { Sample } from '@palimpsest/comparison/sample';
import { verdictOn } from '@palimpsest/comparison/verdict';
import type { WindowChoice } from '@palimpsest/comparison/window-choice';
import { messagesOf, type SentPrompt } from './sent-prompt.ts';

/** The page that `compare --html` writes, about the end of replays. Secrets are masked. */
export function writeReport(
  sample: Sample,
  recorded: Replay,
  engines: readonly SentPrompt[],
  window: WindowChoice,
  prices: InputPrices,
): string {
  const { found, messages, promptTokens, overheadTokens } = sample;
  const verdict = verdictOn({ windowTokens: window.tokens, engines, recorded, prices });
  const shown = engines.map((sent) => {
    const replay = { ...replayFigures(sent.replay, window.tokens, prices), end: sent.row };
    return {
      row: { ...sent.row, replay },
      prompt: { messages: messagesOf(sent, messages), provenance: sent.provenance },
    };
  });
  const compared = {
    id: found.id,
    file: found.file,
    line: found.line,
    messages: messages.length,
    tokens: promptTokens,
    overheadTokens,
    window,
    engines: shown.map(({ row }) => row),
    recorded: replayFigures(recorded, window.tokens, prices),
    prices,
    verdict: { text: verdict.text, best: verdict.best },
  };
  const head = pageHead(
    'Context engines compared',
    'Every block is a message, as wide as its tokens. Hover to see which; click to read it below. Token figures are estimates.',
  );
  return head + sampleSection(sample, { compared, shown, verdict }, 1) + pageFoot;
}
