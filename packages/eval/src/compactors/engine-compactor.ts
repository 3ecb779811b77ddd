import type { ContextEngine, EngineHost, Message, Summarizer, TokenCounter } from '@palimpsest/core';
import { checkOptions, hostRules, type RulesOf, switchRule, Transcript } from '@palimpsest/core/authoring';
import { createRecall } from '@palimpsest/recall';
import { createEngineHost } from '@palimpsest/registry';
import type { Compactor, ModelCall } from './compactor.ts';

/** Options of {@link engineCompactor}. */
export interface EngineCompactorOptions {
  /** Writes summaries. @default rules, without a model */
  readonly summarizer?: Summarizer | undefined;
  /** Whether the agent can search what the engine removed, as with `@palimpsest/recall`. @default true */
  readonly recall?: boolean | undefined;
}

const rules: RulesOf<EngineCompactorOptions> = {
  summarizer: hostRules.summarizer,
  recall: switchRule,
};

/** The window an engine is opened with. Targets are given, so it only has to be larger than they are. Tokens. */
const contextLength = 400_000;
/** Tokens of the answer to one search. */
const maxAnswerTokens = 2_000;

/**
 * Scores a context engine. It is created for each compaction and asked for the budget as its target.
 * @param start creates the engine, for example `(host) => registry.create({ engine: 'compressor' }, host)`
 * @throws {PalimpsestError} `OPTION_INVALID`
 */
export function engineCompactor(
  start: (host: EngineHost) => ContextEngine | Promise<ContextEngine>,
  options: EngineCompactorOptions = {},
): Compactor {
  checkOptions('engineCompactor', options, rules);
  const { summarizer, recall: canSearch = true } = options;
  let recall: ReturnType<typeof createRecall> | null = null;
  return {
    compact: async (messages, budgetTokens, tokens) => {
      const calls: ModelCall[] = [];
      const host = createEngineHost({ tokens, ...(summarizer ? { summarizer: counting(summarizer, calls) } : {}) });
      const engine = await start(host);
      await engine.updateModel({ id: 'eval', contextLength });
      const result = await engine.compress(messages, {
        targetTokens: engineTarget(messages, budgetTokens, tokens),
        force: true,
      });
      if (canSearch) {
        recall = createRecall({ sessionId: 'eval', redact: (text) => text, maxTokens: maxAnswerTokens });
        recall.update(messages, result);
      }
      return { messages: result.messages as readonly Message[], calls };
    },
    ...(canSearch
      ? { search: async (names) => (recall ? [await recall.callTool('recall', { query: names.join(' ') })] : []) }
      : {}),
  };
}

/** Notes the tokens of each call of a summarizer, if its provider reports them. */
const counting = (summarizer: Summarizer, calls: ModelCall[]): Summarizer => ({
  ...summarizer,
  summarize: async (request) => {
    const response = await summarizer.summarize(request);
    const { promptTokens = 0, completionTokens = 0 } = response.usage ?? {};
    if (promptTokens + completionTokens > 0) calls.push({ inputTokens: promptTokens, outputTokens: completionTokens });
    return response;
  },
});

/**
 * The target with which an engine fills a budget for its whole output, as every other compactor does. The results that
 * the model has not seen come on top of a target, so they are subtracted. At least 1.
 */
function engineTarget(messages: readonly Message[], budgetTokens: number, counter: TokenCounter): number {
  return Math.max(1, Math.floor(budgetTokens - Transcript.of(messages, counter).unreadTokens));
}
