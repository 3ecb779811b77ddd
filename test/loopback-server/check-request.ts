import { anthropicPairProblems, openaiPairProblems, responsesPairProblems } from './check-pairs.ts';

type Fields = Readonly<Record<string, unknown>>;

const openaiRoles: ReadonlySet<unknown> = new Set(['system', 'developer', 'user', 'assistant', 'tool', 'function']);

/** What the chat-completions protocol forbids in a request. */
export function checkOpenaiRequest(headers: Readonly<Record<string, string>>, body: Fields): string[] {
  const problems = [...commonProblems(headers, body, 'messages'), ...bearerProblems(headers)];
  for (const message of messagesOf(body)) {
    if (!openaiRoles.has(message.role)) problems.push(`a message has the role ${String(message.role)}`);
    if (message.role === 'user' && isEmpty(message.content)) problems.push('a user message is empty');
  }
  if (body.stream === true && body.stream_options !== undefined && typeof body.stream_options !== 'object')
    problems.push('stream_options is not an object');
  problems.push(...openaiPairProblems(messagesOf(body)));
  return problems;
}

/** What the Responses protocol forbids in a request. */
export function checkResponsesRequest(headers: Readonly<Record<string, string>>, body: Fields, path: string): string[] {
  const problems = [...commonProblems(headers, body, 'input'), ...bearerProblems(headers)];
  if (path.startsWith('/backend-api/')) problems.push(...accountProblems(headers, body));
  else if (headers['chatgpt-account-id']) problems.push('an account of ChatGPT is sent to the API');
  if (Array.isArray(body.input)) problems.push(...responsesPairProblems(body.input as Fields[]));
  return problems;
}

/** What the service behind a ChatGPT login asks for; see https://github.com/openai/codex. */
function accountProblems(headers: Readonly<Record<string, string>>, body: Fields): string[] {
  const problems: string[] = [];
  if (!headers['chatgpt-account-id']) problems.push('Unauthorized');
  if (body.store !== false) problems.push('Store must be set to false');
  if (body.stream !== true) problems.push('Stream must be set to true');
  if (body.max_output_tokens !== undefined) problems.push('Unsupported parameter: max_output_tokens');
  return problems;
}

/** What the messages protocol forbids in a request. */
export function checkAnthropicRequest(headers: Readonly<Record<string, string>>, body: Fields, path: string): string[] {
  const isVertex = path.includes('/publishers/anthropic/');
  const problems = commonProblems(headers, isVertex ? { model: '-', ...body } : body, 'messages');
  problems.push(...(isVertex ? vertexProblems(headers, body, path) : accessProblems(headers, body)));
  return [...problems, ...messagesProblems(body)];
}

/** What is wrong with the conversation and its settings, at any provider of the messages protocol. */
export function messagesProblems(body: Fields): string[] {
  const problems: string[] = [];
  if (!Number.isInteger(body.max_tokens) || (body.max_tokens as number) < 1)
    problems.push('max_tokens: Field required');
  problems.push(...thinkingProblems(body));
  const messages = messagesOf(body);
  if (messages[0]?.role === 'assistant') problems.push('the first message is not of the user');
  messages.forEach((message, at) => {
    if (message.role === 'system') problems.push(...systemProblems(messages, at));
    else if (message.role !== 'user' && message.role !== 'assistant')
      problems.push(`a message has the role ${String(message.role)}`);
    if (isEmpty(message.content)) problems.push('text content blocks must be non-empty');
  });
  const marks = cacheMarks([body.system, body.tools, messages]);
  if (marks > 4) problems.push(`A maximum of 4 blocks with cache_control may be provided. Found ${marks}.`);
  problems.push(...anthropicPairProblems(messages.filter(({ role }) => role !== 'system')));
  return problems;
}

function accessProblems(headers: Readonly<Record<string, string>>, { system }: Fields): string[] {
  const problems: string[] = [];
  // The login of a subscription.
  if (headers.authorization?.startsWith('Bearer sk-ant-oat')) {
    const isClaudeCode = /^You are (?:Claude Code|a Claude agent)/m.test(textIn(system));
    if (!(headers['anthropic-beta'] ?? '').includes('oauth-'))
      problems.push('OAuth authentication is currently not supported.');
    if (headers['x-api-key']) problems.push('there are two credentials');
    if (!isClaudeCode) problems.push('This credential is only authorized for use with Claude Code');
  }
  if (!headers['x-api-key'] && !headers.authorization) problems.push('there is no x-api-key');
  if (!/^\d{4}-\d{2}-\d{2}$/.test(headers['anthropic-version'] ?? '')) problems.push('anthropic-version is missing');
  return problems;
}

/** What Vertex asks for: https://cloud.google.com/vertex-ai/generative-ai/docs/partner-models/claude/use-claude */
function vertexProblems(headers: Readonly<Record<string, string>>, body: Fields, path: string): string[] {
  const problems: string[] = [];
  if (!/^Bearer .+/.test(headers.authorization ?? ''))
    problems.push('Request is missing required authentication credential');
  if (headers['x-api-key']) problems.push('an API key of Anthropic is sent to Google');
  if (body.model !== undefined) problems.push('model: Extra inputs are not permitted');
  // Version 1 of the SDK sends the version of Anthropic's own API.
  if (!/^(?:vertex-)?\d{4}-\d{2}-\d{2}$/.test(String(body.anthropic_version)))
    problems.push('anthropic_version: Field required');
  if ((body.stream === true) !== path.includes(':streamRawPredict'))
    problems.push('stream: not the method of the address');
  return problems;
}

/** A thinking budget must be at least 1,024 tokens and less than `max_tokens`. */
function thinkingProblems({ thinking, max_tokens: cap }: Fields): string[] {
  const { type, budget_tokens: budget } = (thinking ?? {}) as Fields;
  if (type !== 'enabled') return [];
  if (typeof budget !== 'number' || budget < 1_024)
    return ['thinking.enabled.budget_tokens: Input should be greater than or equal to 1024'];
  return budget >= Number(cap) ? ['`max_tokens` must be greater than `thinking.budget_tokens`'] : [];
}

/** A system message must follow a user turn, and precede an assistant turn or be the last; it is never the first. */
function systemProblems(messages: readonly Fields[], at: number): string[] {
  const problems: string[] = [];
  if (at === 0) problems.push("messages.0: use the top-level 'system' parameter for the initial system prompt");
  else if (messages[at - 1]!.role !== 'user')
    problems.push(`messages.${at}: role 'system' must directly follow a 'user' message`);
  const next = messages[at + 1];
  if (next && next.role !== 'assistant')
    problems.push(`messages.${at}: role 'system' must precede an 'assistant' message or end the array`);
  return problems;
}

function cacheMarks(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const own = 'cache_control' in value && value.cache_control ? 1 : 0;
  return Object.values(value).reduce<number>((count, inner) => count + cacheMarks(inner), own);
}

/** Every text in a value, one per line. */
export function textIn(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(textIn).join('\n');
  if (typeof value === 'object' && value !== null) return Object.values(value).map(textIn).join('\n');
  return '';
}

function bearerProblems(headers: Readonly<Record<string, string>>): string[] {
  return /^Bearer \S+$/.test(headers.authorization ?? '') ? [] : ['the header authorization holds no bearer token'];
}

function commonProblems(headers: Readonly<Record<string, string>>, body: Fields, list: 'messages' | 'input'): string[] {
  const problems: string[] = [];
  if (!(headers['content-type'] ?? '').startsWith('application/json')) problems.push('the content type is not JSON');
  if (typeof body.model !== 'string' || body.model === '') problems.push('model is missing');
  const given = body[list];
  if ((!Array.isArray(given) && !(list === 'input' && typeof given === 'string')) || given.length === 0)
    problems.push(`${list} is missing`);
  if (body.stream !== undefined && typeof body.stream !== 'boolean') problems.push('stream is no boolean');
  return problems;
}

function messagesOf(body: Fields): Fields[] {
  return Array.isArray(body.messages) ? (body.messages as Fields[]) : [];
}

function isEmpty(content: unknown): boolean {
  if (typeof content === 'string') return content.trim() === '';
  return !Array.isArray(content) || content.length === 0;
}
