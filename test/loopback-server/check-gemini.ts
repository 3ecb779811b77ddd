type Fields = Readonly<Record<string, unknown>>;

/**
 * Google's signature for calls that no Gemini model made.
 * Source: https://ai.google.dev/gemini-api/docs/thought-signatures
 */
const foreign = 'skip_thought_signature_validator';

/** The signature of an answer that calls these tools. */
export function signatureOf(names: readonly string[]): string {
  return Buffer.from(`signed: ${names.join(' ')}`).toString('base64');
}

/**
 * What the Gemini API forbids in a request:
 * - a body, content or part with a field that it does not know, and a part with two kinds of data
 *   (https://ai.google.dev/api/caching#Part);
 * - an address without an API key in the header or the query (https://ai.google.dev/api);
 * - contents that do not begin and end with the user's, and empty ones (https://ai.google.dev/api/caching#Content);
 * - calls whose turn is not followed by a turn with as many results, and with nothing else
 *   (https://ai.google.dev/gemini-api/docs/function-calling);
 * - in the current turn, a step whose first call has no signature, or that of another answer
 *   (https://ai.google.dev/gemini-api/docs/thought-signatures);
 * - a system prompt or tools next to cached content (https://ai.google.dev/gemini-api/docs/caching).
 *
 * Neighbouring contents of one role are one turn: `@google/genai` sends the chunks of a streamed answer so.
 */
export function checkGeminiRequest(headers: Readonly<Record<string, string>>, body: Fields, path: string): string[] {
  const problems: string[] = [];
  if (!(headers['content-type'] ?? '').startsWith('application/json')) problems.push('the content type is not JSON');
  const hasKey = headers['x-goog-api-key'] || /[?&]key=[^&]/.test(path) || headers.authorization;
  if (!hasKey) problems.push("Method doesn't allow unregistered callers");
  unknownFields(body, fields.body, '', problems);
  if (body.cachedContent && (body.systemInstruction || body.tools || body.toolConfig))
    problems.push('CachedContent can not be used with system_instruction, tools or tool_config');
  problems.push(...toolProblems(listOf(body.tools)));
  const contents = listOf(body.contents);
  if (contents.length === 0) problems.push('contents is not specified');
  for (const [at, content] of contents.entries()) problems.push(...contentProblems(content, `contents[${at}]`));
  return [...problems, ...turnProblems(turnsOf(contents))];
}

const fields = {
  body: [
    'contents',
    'tools',
    'toolConfig',
    'safetySettings',
    'systemInstruction',
    'generationConfig',
    'cachedContent',
    'serviceTier',
    'continuationToken',
  ],
  content: ['role', 'parts'],
  data: [
    'text',
    'inlineData',
    'fileData',
    'functionCall',
    'functionResponse',
    'executableCode',
    'codeExecutionResult',
    'toolCall',
    'toolResponse',
  ],
  beside: ['thought', 'thoughtSignature', 'videoMetadata', 'partMetadata', 'mediaResolution'],
  call: ['id', 'name', 'args'],
  response: ['id', 'name', 'response', 'parts', 'willContinue', 'scheduling'],
} as const;

function unknownFields(value: Fields, known: readonly string[], at: string, problems: string[]): void {
  for (const name of Object.keys(value))
    if (!known.includes(name)) problems.push(`Unknown name "${name}" at '${at}': Cannot find field.`);
}

function toolProblems(tools: readonly Fields[]): string[] {
  const declaring = tools.filter((tool) => tool.functionDeclarations !== undefined);
  const names = declaring.flatMap((tool) => listOf(tool.functionDeclarations).map(({ name }) => name));
  return [
    ...(declaring.length > 1 ? ['Multiple tools are supported only when they are all search tools.'] : []),
    ...(new Set(names).size < names.length ? ['Duplicate function declaration found'] : []),
  ];
}

function contentProblems(content: Fields, at: string): string[] {
  const problems: string[] = [];
  unknownFields(content, fields.content, at, problems);
  if (content.role !== 'user' && content.role !== 'model') problems.push('Please use a valid role: user, model.');
  const parts = listOf(content.parts);
  if (parts.length === 0) problems.push(`${at}.parts must not be empty.`);
  for (const part of parts) {
    unknownFields(part, [...fields.data, ...fields.beside], `${at}.parts`, problems);
    const kinds = fields.data.filter((name) => part[name] !== undefined);
    if (kinds.length !== 1) problems.push(`${at}.parts: required oneof field 'data' must have one initialized field`);
    const { functionCall: call, functionResponse: response } = part as Record<string, Fields | undefined>;
    if (call) {
      unknownFields(call, fields.call, `${at}.parts.function_call`, problems);
      if (!isObject(call.args ?? {})) problems.push(`${at}: Proto field is not repeating, cannot start list (args)`);
    }
    if (response) {
      unknownFields(response, fields.response, `${at}.parts.function_response`, problems);
      if (typeof response.name !== 'string' || response.name === '') problems.push(`${at}: Name cannot be empty.`);
      if (!isObject(response.response)) problems.push(`${at}: a function response is no object`);
    }
  }
  return problems;
}

interface Turn {
  readonly role: unknown;
  readonly hasResults: boolean;
  readonly parts: Fields[];
}

function turnsOf(contents: readonly Fields[]): Turn[] {
  const turns: Turn[] = [];
  for (const { role, parts: given } of contents) {
    const parts = listOf(given);
    const hasResults = parts.some(({ functionResponse }) => functionResponse !== undefined);
    const last = turns.at(-1);
    if (last && last.role === role && last.hasResults === hasResults) last.parts.push(...parts);
    else turns.push({ role, hasResults, parts: [...parts] });
  }
  return turns;
}

function turnProblems(turns: readonly Turn[]): string[] {
  const problems: string[] = [];
  if (turns[0]?.role === 'model')
    problems.push('Please ensure that function call turn comes immediately after a user turn.');
  if (turns.at(-1)?.role === 'model') problems.push('Please ensure that single turn requests end with a user role');
  turns.forEach((turn, at) => {
    const calls = at === 0 ? [] : callsIn(turns[at - 1]!);
    const results = turn.parts.flatMap(({ functionResponse }) =>
      functionResponse ? [functionResponse as Fields] : [],
    );
    if (results.length !== calls.length)
      problems.push(
        'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.',
      );
    if (turn.hasResults && results.length < turn.parts.length)
      problems.push('a function response turn has other parts');
    const open = [...calls];
    for (const { id, name } of results) {
      const found = open.findIndex((call) => (call.id === undefined ? call.name === name : call.id === id));
      if (found < 0)
        problems.push('Please ensure that function response turn comes immediately after a function call turn.');
      else open.splice(found, 1);
    }
  });
  return [...problems, ...signatureProblems(turns)];
}

/** The steps since the last content of the user that has no results. */
function signatureProblems(turns: readonly Turn[]): string[] {
  const from = turns.findLastIndex(({ role, hasResults }) => role === 'user' && !hasResults);
  return turns.slice(from + 1).flatMap((turn) => {
    const first = turn.parts.find(({ functionCall }) => functionCall !== undefined);
    if (!first || turn.role !== 'model') return [];
    const { name } = first.functionCall as Fields;
    const { thoughtSignature: signature } = first;
    if (typeof signature !== 'string')
      return [`Function call is missing a thought_signature in functionCall parts: default_api:${String(name)}`];
    const signed = Buffer.from(signature, 'base64').toString();
    const isOwn = signed.startsWith('signed: ') && signed.slice('signed: '.length).split(' ').includes(String(name));
    return isOwn || signature === foreign ? [] : ['Corrupted thought signature.'];
  });
}

function callsIn({ role, parts }: Turn): Fields[] {
  return role === 'model' ? parts.flatMap(({ functionCall }) => (functionCall ? [functionCall as Fields] : [])) : [];
}

function listOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? (value as Fields[]) : [];
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
