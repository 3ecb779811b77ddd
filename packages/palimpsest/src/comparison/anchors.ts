import { contentText, type Message, toolCallInput, toolCalls } from '@palimpsest/core';

/**
 * Finds exact identifiers in a text: URLs, paths with an extension or three segments, file names, and hashes. They
 * cannot be reconstructed once lost. The rules are independent of the engines that this program measures.
 */
export function identifiersIn(text: string): string[] {
  const found: string[] = [];
  for (const [word] of text.matchAll(words)) {
    if (word.length >= longestWord) continue;
    const identifier = word.replace(/^(?:\.\/)+|[.:,?&=#%+-]+$/g, '').replace(position, '');
    if (shapes.some((shape) => shape.test(identifier))) found.push(identifier);
  }
  return found;
}

/** Longer runs are encoded data, not names. */
const longestWord = 300;
const words: RegExp = /[\p{L}\p{N}_./:@~+#%&=?-]{4,300}/gu;
/** A position such as `:12` or `:12:5` after a path. It is removed because the file is the same. */
const position: RegExp = /(?<=\.\w{1,8}):\d{1,7}(?::\d{1,7})?$/;
const shapes: readonly RegExp[] = [
  /^https?:\/\/[^/]{3,}/,
  /^[~@]?\/?(?:[^/:=?&#]+\/)+[^/:=?&#]*\.[A-Za-z]\w{0,7}$/,
  /^[~/]?(?:[^/:=?&#]+\/){2,}[^/:=?&#]+$/,
  /^[\p{L}_][\p{L}\p{N}_.-]*\.(?:[cm]?[jt]sx?|json|ya?ml|toml|md|py|rs|go|java|rb|php|c|h|cc|cpp|cs|sh|sql|html?|css|txt|lock|cfg|ini|xml|ipynb|log|csv)$/u,
  /^(?=[0-9a-f]*[a-f])(?=[0-9a-f]*\d)[0-9a-f]{7,64}$/,
];

/** Caches anchors by message: several engines run on one transcript, and most output messages are input messages. */
const anchorCache = new WeakMap<Message, readonly string[]>();

/** The identifiers in a message's text and tool call inputs. Cached, because messages are immutable. */
export function anchorsIn(message: Message): readonly string[] {
  const known = anchorCache.get(message);
  if (known) return known;
  const anchors = textsIn(message).flatMap(identifiersIn);
  anchorCache.set(message, anchors);
  return anchors;
}

/**
 * The identifiers in user and assistant messages, each with the first message that names it. Tool results are left out: a
 * listing may print any number of names.
 */
export function namedAnchors(messages: readonly Message[]): ReadonlyMap<string, number> {
  const anchors = new Map<string, number>();
  messages.forEach((message, at) => {
    if (message.role !== 'user' && message.role !== 'assistant') return;
    for (const anchor of anchorsIn(message)) if (!anchors.has(anchor)) anchors.set(anchor, at);
  });
  return anchors;
}

/** A message's text, and the strings in the inputs of its tool calls. */
export function textsIn(message: Message): readonly string[] {
  const inputs = toolCalls(message).map(toolCallInput);
  if (message.function_call) inputs.push(message.function_call.arguments);
  return [contentText(message.content), ...inputs.flatMap(inputTexts)];
}

/** The strings in a call's JSON input. In the raw JSON, the escape `\n` would run into the next name. */
function inputTexts(input: string): readonly string[] {
  try {
    const texts: string[] = [];
    JSON.parse(input, (_, value: unknown) => {
      if (typeof value === 'string') texts.push(value);
      return value;
    });
    return texts;
  } catch {
    return [input];
  }
}
