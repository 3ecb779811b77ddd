import { contentText, type Message } from '@palimpsest/core';
import { Transcript } from '@palimpsest/core/authoring';
import { plan } from '@palimpsest/pruner';
import { redact } from '@palimpsest/redactor';
import { extractive, handoffTemplate } from '@palimpsest/summary';
import { createTokenCounter } from '@palimpsest/tokens';
import { benchHost, engines, forgetfulSummarizer, type OpenEngine } from '../engines/open-engine.ts';

/** Makes everything ready for messages that nothing was told of before; what comes back is the work that is measured. */
type Subject = (messages: readonly Message[]) => () => unknown;

/** What must cost no more than in line with the transcript. */
export const subjects: Readonly<Record<string, Subject>> = {
  'counting tokens': (messages) => () => createTokenCounter().countMessages(messages),
  redaction: (messages) => () => messages.map(({ content }) => redact(contentText(content)).length),
  'planning a pruning': (messages) => {
    const transcript = Transcript.of(messages, createTokenCounter());
    return () => plan(transcript);
  },
  compressor: compressing(engines.compressor),
  'prune-compact': compressing(engines['prune-compact']),
  'the extractive writer': (messages) => {
    const counter = createTokenCounter();
    const writer = extractive({ countText: (text) => counter.countText(text) });
    const material = { messages, previousSummary: null, template: handoffTemplate, focusTopic: null };
    return () => writer.summarize({ prompt: '', budgetTokens: 12_000, material });
  },
};

/** One compression with a model that answers at once, the tokens being counted, in a window half as large. */
function compressing(open: OpenEngine): Subject {
  return (messages) => {
    const host = benchHost(createTokenCounter(), forgetfulSummarizer);
    const engine = open(host, Math.round(Transcript.of(messages, host.tokens).totalTokens / 2));
    return () => engine.compress(messages, { force: true });
  };
}
