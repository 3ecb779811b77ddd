import { Janitor } from '@context-chef/core';
import { largestFitting, serve, textOf, tokensLeft } from '../serve.mjs';

// Its budget triggers a compaction by a model. Without one, compact() clears results, keeping the largest number that fits.
serve(async (messages, budgetTokens, tokens) => {
  const history = messages.map((message, index) => ({ ...message, content: textOf(message.content), index }));
  const tokenizer = (some) => some.reduce((total, { index }) => total + tokens[index], 0);
  const janitor = new Janitor({ contextWindow: budgetTokens, tokenizer });
  const compact = (keepRecent) =>
    janitor.compact(history, { clear: [{ target: 'tool-result', keepRecent }] }).map(({ index, content }) => {
      if (content === history[index].content) return index;
      return { ...messages[index], content };
    });
  const sizeOf = (kept) =>
    kept.reduce(
      (total, one, index) =>
        total + (typeof one === 'number' ? tokens[one] : tokensLeft(messages[index], one, tokens[index])),
      0,
    );
  const results = messages.filter(({ role }) => role === 'tool').length;
  return compact(await largestFitting(results, (count) => sizeOf(compact(count)) <= budgetTokens));
});
