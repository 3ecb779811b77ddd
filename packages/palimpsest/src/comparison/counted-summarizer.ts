import type { Summarizer } from '@palimpsest/core';

/** Wraps a summarizer to count its calls, so that the count does not depend on the engine's report. */
export function countCalls(summarizer: Summarizer): Summarizer & { readonly calls: () => number } {
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
