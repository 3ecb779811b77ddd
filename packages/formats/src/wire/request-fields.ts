import { isRecord } from '@palimpsest/core/authoring';
import { type Fields, fieldsIn, recordsIn } from '../record.ts';
import type { Body, RequestFacts, Wire } from './wire.ts';

/** Fields of `metadata` in which agents name a session. Others may change with each request. */
const sessionFields: readonly string[] = ['user_id', 'session_id', 'conversation_id', 'thread_id'];

/**
 * What the APIs of OpenAI and Anthropic do in the same way.
 * @param list the field with the messages or items
 * @param caps fields that may limit the answer. If none is set, the first is used.
 */
export function commonRequests(
  list: string,
  caps: readonly string[],
): Omit<Wire, 'name' | 'codec' | 'isAddress' | 'declareTool' | 'obstaclesIn' | 'answers'> {
  return {
    list,
    itemsOf: (body) => (Array.isArray(body[list]) ? recordsIn(body[list]) : null),
    factsOf: (body) => factsOf(body, caps),
    withCap: (body, cap) => withCap(body, caps, cap),
    wholeHistoryError: () => null,
    userMessage,
    question: (body, text) => ({ ...withoutConversation(body), [list]: [userMessage(text)] }),
    withTools: (body, tools) => ({ ...body, tools: [...tools, ...(Array.isArray(body.tools) ? body.tools : [])] }),
    withoutCalls: (body) => ({ ...body, tool_choice: 'none' }),
  };
}

function userMessage(content: string): Fields {
  return { role: 'user', content };
}

/** Fields that belong to a conversation and its tools, or ask for something other than text. */
const ofConversation: ReadonlySet<string> = new Set([
  'background',
  'compaction',
  'context_management',
  'conversation',
  'function_call',
  'functions',
  'mcp_servers',
  'n',
  'output_config',
  'output_format',
  'parallel_tool_calls',
  'previous_response_id',
  'response_format',
  'stop',
  'stop_sequences',
  'text',
  'tool_choice',
  'tools',
  'web_search_options',
]);

function withoutConversation(body: Body): Body {
  return Object.fromEntries(Object.entries(body).filter(([name]) => !ofConversation.has(name)));
}

function factsOf(body: Body, caps: readonly string[]): RequestFacts {
  const { model, tools, functions, stream, metadata } = body;
  const named = fieldsIn(metadata);
  return {
    model: typeof model === 'string' ? model : undefined,
    tools: [tools, functions].flatMap((given) => (Array.isArray(given) ? (given as unknown[]) : [])),
    maxTokens: caps.map((name) => body[name]).find((cap): cap is number => typeof cap === 'number'),
    minTokens: minTokensIn(body),
    isStreamed: stream === true,
    continues: undefined,
    identity: [...sessionFields.map((name) => named[name]), body.prompt_cache_key],
  };
}

/** Minimum thinking budget in Anthropic's API, in tokens. */
const minThinkingTokens = 1_024;

/** The smallest cap for a request with a thinking budget: minimal thinking, and as much text. */
export function minTokensIn(body: Body): number | undefined {
  const hasBudget = thinkingBudgets.some((budget) => budget.read(body) !== undefined);
  return hasBudget ? minThinkingTokens * 2 : undefined;
}

/** Returns the body with a new output cap. */
function withCap(body: Body, caps: readonly string[], cap: number): Body {
  const field = caps.find((name) => typeof body[name] === 'number') ?? caps[0]!;
  return capThinking({ ...body, [field]: cap }, cap);
}

/**
 * A thinking budget has to be smaller than the output cap, so it is lowered to half of it; if not even the minimum budget
 * fits, thinking is turned off.
 */
export function capThinking(body: Body, cap: number): Body {
  return thinkingBudgets.reduce<Body>((capped, budget) => {
    const asked = budget.read(capped);
    if (asked === undefined || asked < cap) return capped;
    return budget.write(capped, cap > minThinkingTokens ? Math.max(minThinkingTokens, Math.floor(cap / 2)) : null);
  }, body);
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
      thinking: tokens === null ? { type: 'disabled' } : { ...(body.thinking as Fields), budget_tokens: tokens },
    }),
  },
  {
    read: ({ reasoning }) => numberIn(reasoning, 'max_tokens'),
    write: (body, tokens) => ({
      ...body,
      reasoning: tokens === null ? { enabled: false } : { ...(body.reasoning as Fields), max_tokens: tokens },
    }),
  },
];

function numberIn(value: unknown, name: string): number | undefined {
  const found = fieldsIn(value)[name];
  return typeof found === 'number' ? found : undefined;
}

const textObstacles = {
  call: 'The request forces the model to call a tool.',
  json: 'The request asks for JSON.',
  serverTools: 'The request has tools that the provider runs.',
  stop: 'The request has stop sequences.',
} as const;

/** See {@link Obstacles.text}. @param found which of these a request has */
export function textObstacle(found: Readonly<Record<keyof typeof textObstacles, boolean>>): string | null {
  const kind = (['call', 'json', 'serverTools', 'stop'] as const).find((name) => found[name]);
  return kind ? textObstacles[kind] : null;
}

/**
 * What of most APIs forbids to add tools; see {@link Obstacles.tools}. Where calls are forbidden (`none`), limited to some tools, or
 * demanded of any tool, the tools stay, so that the prompt begins like the others.
 */
export function toolsObstacle(choice: unknown, json: boolean): string | null {
  if (json) return 'The request asks for JSON, which several answers put together are not.';
  return forcesOneTool(choice) ? 'The request forces the model to call one tool.' : null;
}

/** True for a `tool_choice` with which the model must call one tool that it names. */
function forcesOneTool(choice: unknown): boolean {
  return isRecord(choice) && forcesCall(choice) && choice.type !== 'any' && choice.type !== 'allowed_tools';
}

/** True if one of the tools has a type that the provider runs. */
export function hasServerTools(tools: unknown, types: RegExp): boolean {
  return recordsIn(tools).some(({ type }) => types.test(String(type)));
}

/** True for a `tool_choice` with which the model must call a tool. */
export function forcesCall(choice: unknown): boolean {
  // `any` is the word of Mistral. Frameworks accept the name of a tool.
  if (!isRecord(choice)) return typeof choice === 'string' && choice !== 'auto' && choice !== 'none';
  const { type, mode, allowed_tools: allowed } = choice;
  if (type === 'allowed_tools') return mode === 'required' || fieldsIn(allowed).mode === 'required';
  return type !== 'auto' && type !== 'none';
}

/** True for a request with texts that end an answer. */
export function hasStops({ stop, stop_sequences: sequences }: Body): boolean {
  return [stop, sequences].flat().some((text) => text !== undefined && text !== null);
}

/** True for the format of an output other than text. */
export function isJsonFormat(format: unknown): boolean {
  return isRecord(format) && format.type !== 'text';
}
