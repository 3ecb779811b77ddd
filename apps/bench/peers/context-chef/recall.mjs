import { ContextChef, InMemoryBackend } from '@context-chef/core';
import { serve, textOf, tokensLeft } from '../serve.mjs';

// Characters. The default is 5000. Of 5000, 2000, 1000, 500 and 250, this kept the most facts on the development half.
const threshold = 250;
const tailChars = 100;

let chef;

// Large results are offloaded when they arrive. What is still too long is archived, as one span, oldest messages first.
serve(
  async (messages, budgetTokens, tokens) => {
    let evicted = 0;
    let notice;
    const left = [...tokens];
    const shortened = new Map();
    chef = new ContextChef({
      store: new InMemoryBackend(),
      tools: 'unified',
      vfs: { threshold },
      janitor: {
        contextWindow: budgetTokens,
        triggerRatio: 1,
        preserveRatio: 0.97,
        tokenizer: (some) => some.reduce((total, { index }) => total + (left[index] ?? 60), 0),
        onCompress: (summary, count) => {
          notice = summary.content;
          evicted = count;
        },
      },
      overflow: { archive: 'vfs' },
    });
    const history = messages.map((message, index) => {
      const content = textOf(message.content);
      if (message.role !== 'tool') return { ...message, content, index };
      const stub = chef.offload(content, { tailChars });
      if (stub !== content) {
        shortened.set(index, { ...message, content: stub });
        left[index] = tokensLeft(message, shortened.get(index), tokens[index]);
      }
      return { ...message, content: stub, index };
    });
    await chef.setHistory(history).compile({ target: 'openai' });
    const kept = history.slice(evicted).map(({ index }) => shortened.get(index) ?? index);
    return notice === undefined ? kept : [{ role: 'user', content: notice }, ...kept];
  },
  // The tool searches for one string, and shows one place of each text that has it. The text with most of the names is
  // then viewed, which gives all of it.
  async (names) => {
    const call = (args) => chef.handleTool({ name: 'context', arguments: args });
    const answers = [];
    const hits = new Map();
    for (const query of names) {
      const answer = await call({ command: 'search', path: 'context://vfs/', query });
      answers.push(answer);
      for (const [, uri] of answer.matchAll(/^- (context:\S+?)(?::\s|$)/gm)) hits.set(uri, (hits.get(uri) ?? 0) + 1);
    }
    const [best] = [...hits].sort(([, one], [, other]) => other - one);
    if (best) answers.push(await call({ command: 'view', path: best[0] }));
    return answers;
  },
);
