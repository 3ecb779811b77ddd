type Fields = Readonly<Record<string, unknown>>;

/** What chat completions rejects: each call must be answered directly after its message, and only there. */
export function openaiPairProblems(messages: readonly Fields[]): string[] {
  const problems: string[] = [];
  let open = new Set<unknown>();
  messages.forEach((message, at) => {
    if (message.role === 'tool') {
      if (!open.delete(message.tool_call_id))
        problems.push(`messages[${at}]: a tool message must follow the assistant message that calls it`);
      return;
    }
    if (open.size > 0) problems.push(`messages[${at}]: tool calls before it have no tool message`);
    open = new Set();
    if (message.role !== 'assistant') return;
    const calls = listOf(message.tool_calls);
    if (Array.isArray(message.tool_calls) && calls.length === 0) problems.push(`messages[${at}].tool_calls is empty`);
    if (calls.length === 0 && isBlank(message.content) && !message.function_call)
      problems.push(`messages[${at}]: an assistant message says nothing and calls nothing`);
    for (const { id, function: called } of calls) {
      if (open.has(id)) problems.push(`messages[${at}]: two calls have one id`);
      open.add(id);
      if (!isJson((called as Fields | undefined)?.arguments)) problems.push(`messages[${at}]: arguments are no JSON`);
    }
  });
  if (open.size > 0) problems.push('the last tool calls have no tool message');
  return problems;
}

/** What the messages API rejects: each `tool_use` must be answered at the beginning of the next message, and only there. */
export function anthropicPairProblems(messages: readonly Fields[]): string[] {
  const problems: string[] = [];
  let open = new Set<unknown>();
  messages.forEach((message, at) => {
    const blocks = listOf(message.content);
    const results = blocks.filter(({ type }) => type === 'tool_result');
    if (message.role === 'assistant' && results.length > 0)
      problems.push(`messages.${at}: a result of the assistant's`);
    const first = blocks.findIndex(({ type }) => type !== 'tool_result');
    if (first >= 0 && blocks.slice(first).some(({ type }) => type === 'tool_result'))
      problems.push(`messages.${at}: tool_result blocks must come first`);
    for (const { tool_use_id: id } of results)
      if (!open.delete(id)) problems.push(`messages.${at}: unexpected tool_use_id in tool_result blocks`);
    if (open.size > 0) problems.push(`messages.${at}: tool_use ids were found without tool_result blocks`);
    open = new Set();
    for (const block of blocks) {
      if (block.type === 'text' && isBlank(block.text)) problems.push(`messages.${at}: text blocks must be non-empty`);
      if (block.type === 'tool_use') open.add(block.id);
    }
    const before = messages[at - 1];
    if (before?.role === 'assistant' && message.role === 'assistant')
      problems.push(`messages.${at}: roles must alternate`);
  });
  if (open.size > 0) problems.push('tool_use ids were found without tool_result blocks at the end');
  return problems;
}

/** What Responses rejects: outputs without a call before them, and calls without an output. */
export function responsesPairProblems(items: readonly Fields[]): string[] {
  const called = new Set<unknown>();
  const answered = new Set<unknown>();
  const problems: string[] = [];
  items.forEach(({ type, call_id: id, role, content }, at) => {
    if (type === 'function_call') called.add(id);
    if (type === 'function_call_output') {
      if (!called.has(id)) problems.push(`input[${at}]: No tool call found for function call output`);
      answered.add(id);
    }
    if (role === 'user' && isBlank(content)) problems.push(`input[${at}]: a user message is empty`);
  });
  for (const id of called) if (!answered.has(id)) problems.push('No tool output found for function call');
  return [...problems, ...reasoningProblems(items)];
}

/** A reasoning item, whole or as a reference, must directly precede the item it led to, and that item must follow one. */
function reasoningProblems(items: readonly Fields[]): string[] {
  const problems: string[] = [];
  items.forEach((item, at) => {
    const [id, next, before] = [String(item.id), items[at + 1], items[at - 1]];
    const about = id.replace(/^(?:rs|msg)_/, '');
    if (id.startsWith('rs_') && next?.id !== `msg_${about}` && next?.call_id !== about)
      problems.push(`Item '${id}' of type 'reasoning' was provided without its required following item.`);
    // Only the model reasons. Codex gives its own messages such an id as well.
    if (item.role !== 'user' && item.role !== 'developer' && /^msg_(?!1$)/.test(id) && before?.id !== `rs_${about}`)
      problems.push(
        `Item '${id}' of type 'message' was provided without its required 'reasoning' item: 'rs_${about}'.`,
      );
  });
  return problems;
}

function listOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? (value as Fields[]) : [];
}

function isBlank(content: unknown): boolean {
  if (typeof content === 'string') return content.trim() === '';
  return !Array.isArray(content) || content.length === 0;
}

function isJson(text: unknown): boolean {
  try {
    JSON.parse(String(text));
    return true;
  } catch {
    return false;
  }
}
