import { pageFoot, pageHead } from '@palimpsest/comparison/page/page';
import { sampleSection } from '@palimpsest/comparison/page/sample-section';
import type { InputPrices } from '@palimpsest/comparison/replay/input-cost';
import type { Replay } from '@palimpsest/comparison/replay/replay';
import { type ReplayFigures, replayFigures } from '@palimpsest/comparison/replay/replay-figures';
import type { Sample } from '@palimpsest/comparison/sample';
import { verdictOn } from '@palimpsest/comparison/verdict';
import type { WindowChoice } from '@palimpsest/comparison/window-choice';
import { messagesOf, type SentPrompt } from './sent-prompt.ts';

/** The page that `compare --html` writes, about the last request of replays. Secrets are masked. */
export function writeReport(
  sample: Sample,
  recorded: Replay,
  engines: readonly SentPrompt[],
  window: WindowChoice,
  prices: InputPrices,
): string {
  const { found, messages, promptTokens, overheadTokens } = sample;
  const figures = (replay: Replay): ReplayFigures => replayFigures(replay, window.tokens, prices);
  const verdict = verdictOn({ windowTokens: window.tokens, engines, recorded, prices });
  const compared = {
    id: found.id,
    file: found.file,
    line: found.line,
    messages: messages.length,
    tokens: promptTokens,
    overheadTokens,
    window,
    engines: engines.map(({ row, replay }) => ({ ...row, replay: figures(replay) })),
    recorded: figures(recorded),
    prices,
    verdict: { text: verdict.text, best: verdict.best },
  };
  // The answer to the last request is not part of its prompt.
  const drawn = { ...sample, messages: messages.slice(0, recorded.answeredBy.at(-1)) };
  const runs = engines.map((sent) => ({
    result: {
      messages: messagesOf(sent, messages),
      provenance: sent.provenance,
      report: { engine: sent.row.engine },
    },
  }));
  const head = pageHead(
    'Context engines compared',
    'Every block is a message, as wide as its tokens. Hover to see which; click to read it below. The strips show the last request of the session. Token figures are estimates.',
  );
  return head + sampleSection(drawn, { compared, runs, verdict }, 1) + pageFoot;
}
