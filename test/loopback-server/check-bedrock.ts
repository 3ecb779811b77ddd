import { messagesProblems } from './check-request.ts';
import { accessProblems, type SignedRequest } from './check-signature.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * What Bedrock forbids in a request to `Converse`:
 * - a signature or API key that is not right, and a body that is not JSON (see `check-signature.ts`);
 * - fields that it does not know, in the body, a message or a block, and a block with two kinds of content
 *   (https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ContentBlock.html);
 * - roles that do not alternate, and a conversation that does not begin and end with the user's words
 *   (https://docs.aws.amazon.com/bedrock/latest/userguide/conversation-inference-call.html);
 * - messages without content, and blank texts;
 * - calls and results that are not paired, one message after the other, and results behind other content;
 * - calls or results without a `toolConfig`, two tools with one name, and `toolUseId`s with other characters
 *   (https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolUseBlock.html);
 * - cache points at the beginning of a list or behind each other, and more than four
 *   (https://docs.aws.amazon.com/bedrock/latest/userguide/prompt-caching.html);
 * - documents with illegal names, with one name, or in a message without a text, and other images than png, jpeg, gif and webp
 *   (https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_DocumentBlock.html);
 * - thoughts without their signature (https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ReasoningTextBlock.html).
 */
export function checkBedrockRequest(request: SignedRequest, body: Fields): string[] {
  const problems = accessProblems(request);
  if (!(request.headers['content-type'] ?? '').startsWith('application/json'))
    problems.push('the content type is not JSON');
  unknownFields(body, fields.body, 'the request', problems);
  const messages = listOf(body.messages);
  const tools = listOf((body.toolConfig as Fields | undefined)?.tools);
  const names = tools.flatMap(({ toolSpec }) => (toolSpec ? [(toolSpec as Fields).name] : []));
  if (new Set(names).size < names.length) problems.push('The tool config contains duplicate tool names.');
  if (messages[0]?.role !== 'user') problems.push('A conversation must start with a user message.');
  if (messages.at(-1)?.role !== 'user')
    problems.push(
      'This model does not support assistant message prefill. The conversation must end with a user message.',
    );
  messages.forEach((message, at) => {
    unknownFields(message, ['role', 'content'], `messages.${at}`, problems);
    if (message.role === messages[at - 1]?.role)
      problems.push('A conversation must alternate between user and assistant roles.');
    problems.push(...blockProblems(listOf(message.content), `messages.${at}.content`));
  });
  const blocks = messages.flatMap(({ content }) => listOf(content));
  if (tools.length === 0 && blocks.some(({ toolUse, toolResult }) => toolUse ?? toolResult))
    problems.push('The toolConfig field must be defined when using toolUse and toolResult content blocks.');
  problems.push(...fileProblems(messages));
  const lists = [listOf(body.system), tools, ...messages.map(({ content }) => listOf(content))];
  for (const list of lists)
    if (list.some(({ cachePoint }, at) => cachePoint && (at === 0 || list[at - 1]!.cachePoint)))
      problems.push('Invalid cachePoint: it must be behind other content.');
  const points = lists.flat().filter(({ cachePoint }) => cachePoint).length;
  if (points > 4) problems.push(`The number of cache points (${points}) exceeds the maximum of 4.`);
  return [...problems, ...pairProblems(messages)];
}

/**
 * What Bedrock forbids in a request to `InvokeModel` with a body of Anthropic: what the messages API does, and a body with a
 * model, with `stream`, or without Bedrock's version
 * (https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-anthropic-claude-messages-request-response.html).
 */
export function checkInvokeRequest(request: SignedRequest, body: Fields): string[] {
  const problems = [...accessProblems(request), ...messagesProblems(body)];
  if (body.model !== undefined) problems.push('model: Extra inputs are not permitted');
  if (body.stream !== undefined) problems.push('stream: Extra inputs are not permitted');
  // Version 1 of the SDK sends the version of Anthropic's own API.
  if (!/^(?:bedrock-2023-05-31|\d{4}-\d{2}-\d{2})$/.test(String(body.anthropic_version)))
    problems.push('anthropic_version: Field required');
  return problems;
}

const fields = {
  body: [
    'messages',
    'system',
    'toolConfig',
    'inferenceConfig',
    'guardrailConfig',
    'additionalModelRequestFields',
    'additionalModelResponseFieldPaths',
    'outputConfig',
    'performanceConfig',
    'promptVariables',
    'requestMetadata',
    'serviceTier',
  ],
  block: [
    'text',
    'image',
    'document',
    'video',
    'audio',
    'toolUse',
    'toolResult',
    'guardContent',
    'cachePoint',
    'reasoningContent',
    'citationsContent',
    'searchResult',
  ],
  toolUse: ['toolUseId', 'name', 'input', 'type'],
  toolResult: ['toolUseId', 'content', 'status', 'type'],
} as const;

function unknownFields(value: Fields, known: readonly string[], at: string, problems: string[]): void {
  for (const name of Object.keys(value))
    if (!known.includes(name)) problems.push(`extraneous key [${name}] is not permitted in ${at}`);
}

function blockProblems(blocks: readonly Fields[], at: string): string[] {
  const problems: string[] = [];
  if (blocks.every(({ cachePoint }) => cachePoint))
    problems.push(`The content field in the Message object at ${at} is empty.`);
  blocks.forEach((block, number) => {
    unknownFields(block, fields.block, at, problems);
    if (Object.keys(block).length !== 1) problems.push(`${at}.${number}: a ContentBlock must have exactly one member`);
    if (typeof block.text === 'string' && block.text.trim() === '')
      problems.push(`The text field in the ContentBlock object at ${at}.${number} is blank.`);
    const { toolUse, toolResult, reasoningContent } = block as Record<string, Fields | undefined>;
    if (toolUse) {
      unknownFields(toolUse, fields.toolUse, `${at}.${number}.toolUse`, problems);
      if (typeof toolUse.input !== 'object' || Array.isArray(toolUse.input))
        problems.push(`The format of the value at ${at}.${number}.toolUse.input is invalid. Provide a json object.`);
    }
    if (toolResult) {
      unknownFields(toolResult, fields.toolResult, `${at}.${number}.toolResult`, problems);
      if (!Array.isArray(toolResult.content)) problems.push(`${at}.${number}.toolResult.content must not be null`);
    }
    const id = (toolUse ?? toolResult)?.toolUseId;
    if ((toolUse ?? toolResult) && !/^[a-zA-Z0-9_-]{1,64}$/.test(String(id)))
      problems.push(`Value at ${at}.${number}.toolUseId failed to satisfy constraint: [a-zA-Z0-9_-]+`);
    const { reasoningText } = (reasoningContent ?? {}) as Record<string, Fields | undefined>;
    if (reasoningText && typeof reasoningText.signature !== 'string')
      problems.push(`${at}.${number}: thinking.signature: Field required`);
  });
  return problems;
}

function fileProblems(messages: readonly Fields[]): string[] {
  const problems: string[] = [];
  const names: unknown[] = [];
  messages.forEach(({ content }, at) => {
    const own = listOf(content);
    const blocks = [...own, ...own.flatMap(({ toolResult }) => listOf((toolResult as Fields | undefined)?.content))];
    for (const { document, image } of blocks as readonly Record<string, Fields | undefined>[]) {
      if (document) names.push(document.name);
      if (image && !/^(?:png|jpeg|gif|webp)$/.test(String(image.format)))
        problems.push(`Value at messages.${at} failed to satisfy enum value set: [gif, jpeg, png, webp]`);
    }
    if (own.some(({ document }) => document) && !own.some(({ text }) => text !== undefined))
      problems.push(`messages.${at}: A text block must be included when using documents.`);
  });
  if (new Set(names).size < names.length) problems.push("Messages can't contain duplicate document names.");
  if (names.some((name) => !/^[a-zA-Z0-9\s()[\]-]{1,200}$/.test(String(name)) || /\s\s/.test(String(name))))
    problems.push(
      'The document file name can only contain alphanumeric characters, whitespace, hyphens, and brackets.',
    );
  return problems;
}

function pairProblems(messages: readonly Fields[]): string[] {
  const problems: string[] = [];
  let open: unknown[] = [];
  messages.forEach(({ role, content }, at) => {
    const blocks = listOf(content);
    const kinds = blocks.filter(({ cachePoint }) => !cachePoint).map(({ toolResult }) => toolResult !== undefined);
    if (kinds.lastIndexOf(true) > kinds.indexOf(false) && kinds.includes(false))
      problems.push(`messages.${at}: toolResult blocks must come before other content`);
    const results = blocks.flatMap(({ toolResult }) => (toolResult ? [(toolResult as Fields).toolUseId] : []));
    if (results.length > open.length)
      problems.push(
        `The number of toolResult blocks at messages.${at}.content exceeds the number of toolUse blocks of previous turn.`,
      );
    const missing = open.filter((id) => !results.includes(id));
    if (missing.length > 0)
      problems.push(
        `Expected toolResult blocks at messages.${at}.content for the following Ids: ${missing.join(', ')}`,
      );
    open = blocks.flatMap(({ toolUse }) => (toolUse ? [(toolUse as Fields).toolUseId] : []));
    if (role === 'user' && open.length > 0)
      problems.push(`messages.${at}: toolUse blocks can only be in assistant messages`);
  });
  if (open.length > 0) problems.push('Expected toolResult blocks for the last calls');
  return problems;
}

function listOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? (value as Fields[]) : [];
}
