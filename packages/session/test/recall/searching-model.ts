import {
  type AnsweredCall,
  type Behaviour,
  contextWindow,
  type Received,
} from '../../../../test/loopback-server/index.ts';

/** Observations of a model that searches. */
export interface SearchLog {
  /** Replies that only searched, and replies that also called tools of the host. */
  alone: number;
  beside: number;
  readonly refused: string[];
}

/**
 * Lets a scripted model search what was removed, whenever it has the tools: in a reply of its own, with and without words,
 * or next to the calls of its script.
 */
export function searchingModel(
  window: number,
  script: (request: Received) => Behaviour,
): { readonly log: SearchLog; readonly script: (request: Received) => Behaviour } {
  const judge = contextWindow(window);
  const log: SearchLog = { alone: 0, beside: 0, refused: [] };
  let step = 0;
  return {
    log,
    script(request) {
      step++;
      const hasTools = JSON.stringify(toolsIn(request)).includes('"recall"');
      if (!hasTools || step % 3 === 0) return script(request);
      const calls = callsOf(step, request.text);
      if (step % 3 === 1) {
        const { refusal, promptTokens, cachedTokens } = judge(request);
        if (refusal) log.refused.push(`${promptTokens} tokens`);
        log.alone++;
        const text = step % 2 === 0 ? '' : `Looking for ${step}.`;
        return refusal ?? { kind: 'answer', text, calls, promptTokens, cachedTokens, completionTokens: 20 };
      }
      const reply = script(request);
      if (reply.kind !== 'answer' || !reply.calls) return reply;
      log.beside++;
      return { ...reply, calls: step % 2 === 0 ? [...calls, ...reply.calls] : [...reply.calls, ...calls] };
    },
  };
}

/** The tools of a request: Bedrock has them in an object. */
export function toolsIn({ body }: Received): unknown {
  const { tools, toolConfig = {} } = body;
  return tools ?? (toolConfig as { readonly tools?: unknown }).tools ?? [];
}

/** A search, and every third time also a look at a ref: one from the request, or one that does not exist. */
function callsOf(step: number, text: string): AnsweredCall[] {
  const query = JSON.stringify({ query: `export function step ${step} import`, limit: 2 });
  const search = { id: `recall_${step}`, name: 'recall', arguments: query };
  const known = /\[ref ([0-9a-f]{8})\]/.exec(text)?.[1];
  const ref = step % 2 === 0 || known === undefined ? 'deadbeef' : known;
  const look = { id: `expand_${step}`, name: 'expand', arguments: JSON.stringify({ ref, lines: '1-5' }) };
  return step % 9 < 3 ? [search, look] : [search];
}
