type Fields = Readonly<Record<string, unknown>>;

/**
 * What Ollama forbids in a request to `/api/chat`, and what its documentation does not provide for:
 * - a body, message, call or tool with a field that it does not know (https://docs.ollama.com/api/chat): Ollama ignores these,
 *   so what a client asked for with them would be lost;
 * - a missing model, and fields of other types than those in `api/types.go`, which Go refuses to read: a text that is no string,
 *   pictures that are no base64, arguments that are no object (https://github.com/ollama/ollama/blob/main/api/types.go);
 * - `think` other than true, false, low, medium, high or max (https://docs.ollama.com/capabilities/thinking);
 * - `format` other than "json" or a schema (https://docs.ollama.com/capabilities/structured-outputs);
 * - calls that are not followed by a result each, and results that name no tool or call of the answer before them
 *   (https://docs.ollama.com/capabilities/tool-calling).
 */
export function checkOllamaRequest(body: Fields): string[] {
  const problems: string[] = [];
  // SDKs write no content type, and Ollama asks for none.
  unknownFields(body, fields.body, 'body', problems);
  if (typeof body.model !== 'string' || body.model === '') problems.push('model is required');
  if (body.stream !== undefined && typeof body.stream !== 'boolean') problems.push(wrongType('stream', 'bool'));
  if (body.options !== undefined && !isObject(body.options)) problems.push(wrongType('options', 'map'));
  const { think, format } = body;
  if (![undefined, true, false, 'low', 'medium', 'high', 'max'].includes(think as boolean))
    problems.push('think must be a boolean or string ("high", "medium", "low", "max", true, or false)');
  if (format !== undefined && format !== 'json' && !isObject(format))
    problems.push('invalid format: expected "json" or a valid JSON Schema object');
  problems.push(...optionProblems(body.options as Fields | undefined));
  for (const tool of listOf(body.tools)) problems.push(...toolProblems(tool));
  const messages = listOf(body.messages);
  if (!Array.isArray(body.messages)) problems.push(wrongType('messages', '[]api.Message'));
  messages.forEach((message, at) => {
    problems.push(...messageProblems(message, `messages[${at}]`));
  });
  return [...problems, ...pairProblems(messages)];
}

/** What `ollama-ai-provider-v2` sends, and Ollama ignores. */
const ofSdk = ['max_output_tokens', 'temperature', 'top_p', 'tool_choice'] as const;

const fields = {
  body: [
    'model',
    'messages',
    'stream',
    'format',
    'keep_alive',
    'tools',
    'options',
    'think',
    'truncate',
    'shift',
    'logprobs',
    'top_logprobs',
    ...ofSdk,
  ],
  message: ['role', 'content', 'thinking', 'images', 'tool_calls', 'tool_name', 'tool_call_id'],
  call: ['id', 'type', 'function'],
  called: ['index', 'name', 'description', 'arguments'],
  tool: ['type', 'items', 'function'],
  declared: ['name', 'description', 'parameters'],
} as const;

/** Options that are numbers, of `Options` and `Runner`. */
const numbers = ['num_ctx', 'num_predict', 'num_keep', 'seed', 'top_k', 'top_p', 'min_p', 'temperature'] as const;

function optionProblems(options: Fields = {}): string[] {
  const wrong = numbers.filter((name) => options[name] !== undefined && typeof options[name] !== 'number');
  return wrong.map((name) => `option "${name}" must be of type number`);
}

function toolProblems(tool: Fields): string[] {
  const problems: string[] = [];
  unknownFields(tool, fields.tool, 'tools', problems);
  const declared = (tool.function ?? {}) as Fields;
  unknownFields(declared, fields.declared, 'tools.function', problems);
  if (tool.type !== 'function') problems.push('a tool has no type');
  if (typeof declared.name !== 'string' || declared.name === '') problems.push('a tool has no name');
  if (!isObject(declared.parameters))
    problems.push(wrongType('tools.function.parameters', 'api.ToolFunctionParameters'));
  return problems;
}

function messageProblems(message: Fields, at: string): string[] {
  const problems: string[] = [];
  unknownFields(message, fields.message, at, problems);
  if (!['system', 'user', 'assistant', 'tool'].includes(String(message.role))) problems.push(`${at}: unknown role`);
  for (const name of ['content', 'thinking', 'tool_name', 'tool_call_id'])
    if (message[name] !== undefined && typeof message[name] !== 'string')
      problems.push(wrongType(`${at}.${name}`, 'string'));
  for (const image of (message.images ?? []) as readonly unknown[])
    if (typeof image !== 'string' || !/^[\w+/]+={0,2}$/.test(image)) problems.push('illegal base64 data');
  const calls = listOf(message.tool_calls);
  for (const call of calls) {
    unknownFields(call, fields.call, `${at}.tool_calls`, problems);
    const called = (call.function ?? {}) as Fields;
    unknownFields(called, fields.called, `${at}.tool_calls.function`, problems);
    if (typeof called.name !== 'string') problems.push(wrongType(`${at}.tool_calls.function.name`, 'string'));
    if (!isObject(called.arguments))
      problems.push(wrongType(`${at}.tool_calls.function.arguments`, 'api.ToolCallFunctionArguments'));
  }
  const isEmpty = !message.content && calls.length === 0 && !message.images;
  if (isEmpty && message.role !== 'tool') problems.push(`${at} says nothing and calls nothing`);
  return problems;
}

function pairProblems(messages: readonly Fields[]): string[] {
  const problems: string[] = [];
  let open: Fields[] = [];
  messages.forEach((message, at) => {
    if (message.role !== 'tool') {
      if (open.length > 0) problems.push(`messages[${at}]: calls before it have no result`);
      open = [...listOf(message.tool_calls)];
      return;
    }
    const { tool_call_id: id, tool_name: name } = message;
    const found = open.findIndex((call) =>
      call.id !== undefined && id !== undefined ? call.id === id : nameOf(call) === name,
    );
    if (found < 0) problems.push(`messages[${at}]: a result of no call before it`);
    else open.splice(found, 1);
  });
  if (open.length > 0) problems.push('the last calls have no result');
  return problems;
}

function nameOf(call: Fields): unknown {
  return (call.function as Fields | undefined)?.name;
}

function unknownFields(value: Fields, known: readonly string[], at: string, problems: string[]): void {
  for (const name of Object.keys(value)) if (!known.includes(name)) problems.push(`unknown field "${name}" in ${at}`);
}

function wrongType(field: string, type: string): string {
  return `json: cannot unmarshal into Go struct field ChatRequest.${field} of type ${type}`;
}

function listOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? (value as Fields[]) : [];
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
