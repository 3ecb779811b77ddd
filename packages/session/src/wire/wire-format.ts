import { anthropic, type Codec, openaiChat, openaiResponses } from '@palimpsest/formats';

/** The supported formats of request bodies. */
export type WireFormat = 'openai-chat' | 'openai-responses' | 'anthropic';

/** A request body, parsed. */
export type Body = Readonly<Record<string, unknown>>;

/** How to read and write one format of bodies. */
export interface BodyFormat {
  readonly name: WireFormat;
  readonly codec: Codec<Body>;
  /** The field with the messages or items. */
  readonly list: 'messages' | 'input';
  /** Fields that may limit the answer. If none is set, the first is used. */
  readonly caps: readonly string[];
}

const formats: Readonly<Record<WireFormat, BodyFormat>> = {
  'openai-chat': {
    name: 'openai-chat',
    codec: openaiChat as unknown as Codec<Body>,
    list: 'messages',
    caps: ['max_tokens', 'max_completion_tokens'],
  },
  'openai-responses': {
    name: 'openai-responses',
    codec: openaiResponses as unknown as Codec<Body>,
    list: 'input',
    caps: ['max_output_tokens'],
  },
  anthropic: { name: 'anthropic', codec: anthropic as unknown as Codec<Body>, list: 'messages', caps: ['max_tokens'] },
};

/** The names of the supported formats. */
export const wireFormats: readonly string[] = Object.keys(formats);

/** Formats by the end of the path. This includes Azure deployments, Vertex and gateways, but not `count_tokens` and batches. */
const paths: readonly (readonly [end: RegExp, name: WireFormat])[] = [
  [/\/chat\/completions\/?$/, 'openai-chat'],
  [/\/responses\/?$/, 'openai-responses'],
  [/\/messages\/?$|:(?:stream)?[rR]awPredict$/, 'anthropic'],
];

/** The format of a body sent to a path; `null` when it contains no conversation. */
export function formatOf(path: string, body: Body, given: WireFormat | undefined): BodyFormat | null {
  const name = given ?? paths.find(([end]) => end.test(path))?.[1];
  if (!name || !Object.hasOwn(formats, name)) return null;
  const format = formats[name];
  const list = body[format.list];
  return Array.isArray(list) || (name === 'openai-responses' && typeof list === 'string') ? format : null;
}

/** The tool declarations of a body. They count toward the size of the prompt. */
export function toolsOf({ tools, functions }: Body): readonly unknown[] | undefined {
  const all = [tools, functions].flatMap((list) => (Array.isArray(list) ? (list as unknown[]) : []));
  return all.length > 0 ? all : undefined;
}

/** The output cap of a body; `undefined` when it has none. */
export function capOf({ caps }: BodyFormat, body: Body): number | undefined {
  return caps.map((name) => body[name]).find((cap): cap is number => typeof cap === 'number');
}

/** Minimum thinking budget in Anthropic's API, in tokens. */
const leastThinking = 1_024;

/** Smallest cap with room for minimal thinking and as much text; `undefined` when the body has no thinking budget. */
export function leastCapOf(body: Body): number | undefined {
  return thinkingBudgets.some((budget) => budget.read(body) !== undefined) ? leastThinking * 2 : undefined;
}

/**
 * Returns the body with a new output cap, in the field it already uses. A thinking budget has to be smaller than the
 * cap, so it is lowered to half of it; if not even the minimum budget fits, thinking is turned off.
 */
export function withCap({ caps }: BodyFormat, body: Body, cap: number): Body {
  const field = caps.find((name) => typeof body[name] === 'number') ?? caps[0]!;
  return thinkingBudgets.reduce<Body>(
    (capped, budget) => {
      const asked = budget.read(capped);
      if (asked === undefined || asked < cap) return capped;
      return budget.write(capped, cap > leastThinking ? Math.max(leastThinking, Math.floor(cap / 2)) : null);
    },
    { ...body, [field]: cap },
  );
}

/** Fields that set a thinking budget: Anthropic's, which gateways also accept, and OpenRouter's. */
const thinkingBudgets: readonly {
  read(body: Body): number | undefined;
  write(body: Body, tokens: number | null): Body;
}[] = [
  {
    read: ({ thinking }) => numberIn(thinking, 'budget_tokens'),
    write: (body, tokens) => ({
      ...body,
      thinking: tokens === null ? { type: 'disabled' } : { ...(body.thinking as Body), budget_tokens: tokens },
    }),
  },
  {
    read: ({ reasoning }) => numberIn(reasoning, 'max_tokens'),
    write: (body, tokens) => ({
      ...body,
      reasoning: tokens === null ? { enabled: false } : { ...(body.reasoning as Body), max_tokens: tokens },
    }),
  },
];

function numberIn(value: unknown, name: string): number | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const found = (value as Body)[name];
  return typeof found === 'number' ? found : undefined;
}
