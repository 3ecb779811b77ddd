import type { ShareGptTurn } from './conversation.ts';

/** The role of a ShareGPT speaker. A `call` turn consists of the JSON of a call, as in LLaMA-Factory. */
export type Speaker = 'system' | 'user' | 'assistant' | 'call' | 'tool';

const speakers: Readonly<Record<string, Speaker>> = {
  system: 'system',
  human: 'user',
  user: 'user',
  gpt: 'assistant',
  assistant: 'assistant',
  chatgpt: 'assistant',
  model: 'assistant',
  bing: 'assistant',
  bard: 'assistant',
  bot: 'assistant',
  function_call: 'call',
  tool_call: 'call',
  tool: 'tool',
  observation: 'tool',
  function_response: 'tool',
  tool_response: 'tool',
  function: 'tool',
  ipython: 'tool',
};

/** Returns the role of a ShareGPT speaker, by the `from` of a turn; `undefined` if it is unknown. */
export function speakerOf(from: unknown): Speaker | undefined {
  return typeof from === 'string' && Object.hasOwn(speakers, from) ? speakers[from] : undefined;
}

const defaultNames: Readonly<Record<Speaker, string>> = {
  system: 'system',
  user: 'human',
  assistant: 'gpt',
  call: 'function_call',
  tool: 'tool',
};

/** Returns a function that names the speakers of new turns as the row does. */
export function namesIn(turns: readonly ShareGptTurn[]): (speaker: Speaker) => string {
  const own = new Map<Speaker, string>();
  for (const { from } of turns) {
    const speaker = speakerOf(from);
    if (speaker && !own.has(speaker)) own.set(speaker, from);
  }
  return (speaker) => own.get(speaker) ?? defaultNames[speaker];
}
