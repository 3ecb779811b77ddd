import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import type { Behaviour, Received } from './behaviour.ts';

/** How a model with a limited window handles a request. */
export interface WindowVerdict {
  readonly promptTokens: number;
  /** Tokens of the prefix that the request shares with the previous one. */
  readonly cachedTokens: number;
  /** The provider's refusal, when prompt and answer do not fit. */
  readonly refusal: Behaviour | null;
}

/** A model with a window of this many tokens, counted exactly, that remembers the previous prompt. */
export function contextWindow(window: number): (request: Pick<Received, 'protocol' | 'body'>) => WindowVerdict {
  const known = new Map<string, number>();
  let before: readonly string[] = [];
  const count = (text: string): number => {
    const tokens = known.get(text) ?? countTokens(text, { disallowedSpecial: new Set() });
    known.set(text, tokens);
    return tokens;
  };
  return ({ protocol, body }) => {
    const {
      tools = [],
      toolConfig = '',
      system = '',
      instructions = '',
      systemInstruction = '',
      messages,
      input,
      contents,
    } = body;
    const list = messages ?? input ?? contents;
    const pieces = [
      JSON.stringify(toolConfig || tools),
      said([system, instructions, systemInstruction]),
      ...(Array.isArray(list) ? list : [list]).map(said),
    ];
    // A few tokens frame each message.
    const sizes = pieces.map((piece) => (piece === '' ? 0 : count(piece) + 4));
    const promptTokens = sum(sizes);
    const first = pieces.findIndex((piece, at) => piece !== before[at]);
    const cachedTokens = sum(first < 0 ? sizes : sizes.slice(0, first));
    before = pieces;
    const asked =
      body.max_tokens ??
      body.max_completion_tokens ??
      body.max_output_tokens ??
      fieldIn(body.inferenceConfig, 'maxTokens') ??
      fieldIn(body.options, 'num_predict');
    const answer = typeof asked === 'number' ? asked : 0;
    const fits = promptTokens + answer <= window;
    return { promptTokens, cachedTokens, refusal: fits ? null : refusal(protocol, promptTokens, answer, window) };
  };
}

function refusal(protocol: Received['protocol'], prompt: number, answer: number, window: number): Behaviour {
  if (protocol === 'gemini')
    return {
      kind: 'status',
      status: 400,
      message: `The input token count (${prompt}) exceeds the maximum number of tokens allowed (${window}).`,
    };
  // With `truncate: false`. Without it, Ollama cuts the prompt in silence, which counts as refused here.
  if (protocol === 'ollama')
    return {
      kind: 'status',
      status: 400,
      message:
        'the prompt is longer than the context length currently available to the model; shorten the prompt, adjust the context length in settings, or use a model with a longer context length',
    };
  if (protocol.startsWith('bedrock') && prompt > window)
    return { kind: 'status', status: 400, message: 'Input is too long for requested model.' };
  return protocol === 'anthropic' || protocol.startsWith('bedrock')
    ? {
        kind: 'status',
        status: 400,
        message:
          prompt > window
            ? `prompt is too long: ${prompt} tokens > ${window} maximum`
            : `input length and \`max_tokens\` exceed context limit: ${prompt} + ${answer} > ${window}, decrease input length or \`max_tokens\` and try again`,
      }
    : {
        kind: 'status',
        status: 400,
        code: 'context_length_exceeded',
        message: `This model's maximum context length is ${window} tokens. However, you requested ${prompt + answer} tokens (${prompt} in the messages, ${answer} in the completion). Please reduce the length of the messages or completion.`,
      };
}

function fieldIn(value: unknown, name: string): unknown {
  return (value as Readonly<Record<string, unknown>> | undefined)?.[name];
}

/** Fields that a model does not read as text. */
const unread: ReadonlySet<string> = new Set(['cache_control', 'cachePoint', 'signature', 'thoughtSignature', 'type']);

/** Every text in a value that a model reads, without cache marks. */
function said(value: unknown): string {
  if (typeof value === 'string') return value;
  // A cache point says nothing.
  if (Array.isArray(value))
    return value
      .map(said)
      .filter((text) => text !== '')
      .join('\n');
  if (typeof value !== 'object' || value === null) return '';
  const fields = Object.entries(value).filter(([name]) => !unread.has(name));
  return fields.map(([, field]) => said(field)).join('\n');
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
