/** The fields and beta headers with which a client of Anthropic Messages asks for context management. */
const named = /(?<![\w.])(?:context_management|compaction)(?![\w.[-])|(?:context-management|compact)-20\d\d-\d\d-\d\d/;
const unknown =
  /input tag '|extra (?:inputs?|fields?)|not (?:permitted|allowed|supported|valid)|un(?:known|recognized|supported|expected)|invalid (?:beta|field|parameter|argument)/i;

/** How Anthropic refuses edits that a model does not have. */
const edit = '(?:compact_20260112|clear_thinking_20251015|clear_tool_uses_20250919)';
const unknownEdit = new RegExp(`input tag '${edit}'|does not support the '${edit}'`, 'i');
/** Bedrock does not say which flag it refuses. Other servers name it, and it may be another flag. */
const invalidFlag = /invalid beta flag(?!.*\b[a-z][a-z-]+-20\d\d-\d\d-\d\d)/is;
/** How a server that knows compaction reports its failure. */
const failed = /"error_code":\s*"compaction_/;

/** A 404 with one of these words is about a model or a stored response: the server knows the path. */
const ofContent = /model|item|previous_response|response with id|conversation/i;

/** True for an answer that refuses a request because its server does not know context management. */
export async function refusesField(reply: Response): Promise<boolean> {
  if (reply.status !== 400 && reply.status !== 422) return false;
  const text = await textOf(reply);
  if (failed.test(text)) return false;
  return (named.test(text) && unknown.test(text)) || unknownEdit.test(text) || invalidFlag.test(text);
}

/** True for an answer of a server that does not know `/responses/compact`. */
export async function refusesPath(reply: Response): Promise<boolean> {
  const { status } = reply;
  if (status === 405 || status === 501) return true;
  return status === 404 && !ofContent.test(await textOf(reply));
}

/** The text of an answer, which can still be read. */
async function textOf(reply: Response): Promise<string> {
  return reply
    .clone()
    .text()
    .catch(() => '');
}
