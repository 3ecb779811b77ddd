import type { Summarizer } from '@palimpsest/core';

/** A summarizer that counts how often it is asked: the engine's own figures are not taken on trust. */
export function counted(summarizer: Summarizer): Summarizer & { readonly calls: () => number } {
  let calls = 0;
  return {
    ...summarizer,
    calls: () => calls,
    summarize: (request) => {
      calls++;
      return summarizer.summarize(request);
    },
  };
}
