import { contentText, type Message, toolCallInput, toolCalls } from '@palimpsest/core';

/**
 * Exact identifiers in a text: what cannot be guessed once it is lost. A measure of this program's own, so that it
 * shares no rule with the engines it judges: URLs, paths with an extension or three segments, file names, hashes.
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

/** Longer runs are encoded data and no names. */
const longestWord = 300;
const words: RegExp = /[\p{L}\p{N}_./:@~+#%&=?-]{4,300}/gu;
/** `:12` or `:12:5` behind a path: a place in a file that stays the same file. */
const position: RegExp = /(?<=\.\w{1,8}):\d{1,7}(?::\d{1,7})?$/;
const shapes: readonly RegExp[] = [
  /^https?:\/\/[^/]{3,}/,
  /^[~@]?\/?(?:[^/:=?&#]+\/)+[^/:=?&#]*\.[A-Za-z]\w{0,7}$/,
  /^[~/]?(?:[^/:=?&#]+\/){2,}[^/:=?&#]+$/,
  /^[\p{L}_][\p{L}\p{N}_.-]*\.(?:[cm]?[jt]sx?|json|ya?ml|toml|md|py|rs|go|java|rb|php|c|h|cc|cpp|cs|sh|sql|html?|css|txt|lock|cfg|ini|xml|ipynb|log|csv)$/u,
  /^(?=[0-9a-f]*[a-f])(?=[0-9a-f]*\d)[0-9a-f]{7,64}$/,
];

/** What was found in a message: transcripts are looked at by several engines, and most of an output stood in the input. */
const remembered = new WeakMap<Message, readonly string[]>();

/** The identifiers a message names in its text and in the inputs of its calls. Messages are never changed. */
export function anchorsIn(message: Message): readonly string[] {
  const known = remembered.get(message);
  if (known) return known;
  const texts = [contentText(message.content), ...toolCalls(message).map(toolCallInput).flatMap(inputTexts)];
  if (message.function_call) texts.push(...inputTexts(message.function_call.arguments));
  const anchors = texts.flatMap(identifiersIn);
  remembered.set(message, anchors);
  return anchors;
}

/** The identifiers that user and assistant wrote: what the work was about, rather than whatever a listing printed. */
export function namedAnchors(messages: readonly Message[]): ReadonlySet<string> {
  const anchors = new Set<string>();
  for (const message of messages)
    if (message.role === 'user' || message.role === 'assistant')
      for (const anchor of anchorsIn(message)) anchors.add(anchor);
  return anchors;
}

/** The strings inside of a call's input: in its JSON text a line break is a letter, and would run into the next name. */
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
