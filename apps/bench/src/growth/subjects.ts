import { contentText, type Message } from '@palimpsest/core';
import { Transcript } from '@palimpsest/core/authoring';
import { plan } from '@palimpsest/pruner';
import { createRecall } from '@palimpsest/recall';
import { redact } from '@palimpsest/redactor';
import { extractive, handoffTemplate } from '@palimpsest/summary';
import { createTokenCounter } from '@palimpsest/tokens';
import { benchHost, engines, forgetfulSummarizer, type OpenEngine } from '../engines/open-engine.ts';

/** Prepares the work for new messages and returns the function to measure. */
type Subject = (messages: readonly Message[]) => () => unknown;

/** Operations whose cost must grow at most linearly with the transcript. */
export const subjects: Readonly<Record<string, Subject>> = {
  'counting tokens': (messages) => () => createTokenCounter().countMessages(messages),
  redaction: (messages) => () => messages.map(({ content }) => redact(contentText(content)).length),
  'planning a pruning': (messages) => {
    const transcript = Transcript.of(messages, createTokenCounter());
    return () => plan(transcript);
  },
  compressor: compressing(engines.compressor),
  'prune-compact': compressing(engines['prune-compact']),
  recall: (messages) => {
    const source = messages.map(() => ({ kind: 'dropped' as const, edit: 0, reasons: [] }));
    return () => {
      const recall = createRecall({ sessionId: 'growth', redact: (text) => text });
      recall.update(messages, { provenance: { output: [], source } });
      return recall.callTool('recall', { query: 'error src/index.ts' });
    };
  },
  'the extractive writer': (messages) => {
    const counter = createTokenCounter();
    const writer = extractive({ countText: (text) => counter.countText(text) });
    const material = { messages, previousSummary: null, template: handoffTemplate, focusTopic: null };
    return () => writer.summarize({ prompt: '', budgetTokens: 12_000, material });
  },
};

/** Prepares one compression in a window of half the transcript's tokens, with counted tokens and an instant summarizer. */
function compressing(open: OpenEngine): Subject {
  return (messages) => {
    const host = benchHost(createTokenCounter(), forgetfulSummarizer);
    const engine = open(host, Math.round(Transcript.of(messages, host.tokens).totalTokens / 2));
    return () => engine.compress(messages, { force: true });
  };
}
