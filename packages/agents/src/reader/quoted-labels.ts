import type { SeparatedText } from '@palimpsest/core/authoring';

const labelled: RegExp = /* @__PURE__ */ labelPattern();

/** Returns the pattern of labels before program output and documents. A function, so that bundlers can omit it. */
function labelPattern(): RegExp {
  // Labels of program output. The output may follow on the same line.
  const output = String.raw`(?:(?:command|shell|terminal|console|bash|tool|function|program|script|code|execution|process)(?: (?:call|execution))?[ _-](?:output|results?|response|logs?)|std ?(?:out|err)|(?:tool )?observation)(?: \([^()\n]{1,60}\))?`;
  // Labels of documents. The label must be on its own line.
  const document = String.raw`(?:(?:test|build|browser|web(?: ?(?:page|search|site))?|search|page|file|url|retrieved|fetched|scraped|crawled|relevant|attached|uploaded|pasted|api|mcp|query|database|knowledge base)[ _-](?:output|results?|response|logs?|contents?|context|documents?|passages?|chunks?|snippets?|files?|pages?|text)|contents? of (?:the )?(?:file |page |url )?\S[^\n:]{0,200}(?::\S[^\n:]{0,200})?)(?: \([^()\n]{1,80}\))?`;
  // Markup around a label: heading, bold, brackets, dashes.
  const before = String.raw`^[ \t]{0,8}(?:#{1,6} |\*\*|\[|[=-]{2,8} ?)?`;
  const after = String.raw`[ \t]{0,4}(?:\*\*|\]|[=-]{2,8})?`;
  return new RegExp(`${before}(?:${output}${after}(?::|$)|${document}${after}(?::(?:\\*\\*)?[ \\t]*$))`, 'im');
}

/** Labels of the context in retrieval prompts. People also use them, so a label such as `Question:` must follow. */
const retrieved: RegExp =
  /^[ \t]{0,8}(?:#{1,6} |\*\*)?(?:context information is below\b[^\n]{0,80}|(?:use|answer)[^\n]{0,120}\b(?:following|below)\b[^\n]{0,60}\bcontext\b[^\n]{0,200}|(?:retrieved |relevant |search )?(?:context|documents|passages|sources|references|knowledge|excerpts|search results)(?:\*\*)?:[^\n]{0,10000})$/im;
/** Labels of the question after a retrieved context. */
const asked: RegExp =
  /^[ \t]{0,8}(?:#{1,6} |\*\*)?(?:(?:the |my |user(?:'s)? |human |final |current )?(?:question|query))(?:\*\*)?:/gim;
const fence: RegExp = /^[ \t]{0,3}(`{3,}|~{3,})/gm;

/**
 * Separates labelled program output and documents from a text. Retrieved context ends at the label of the question.
 * Other quotations end with the code fence that begins after the label, else at the end of the text. The last fence in
 * the text counts as the closing fence, so output cannot close its own fence. Linear time.
 */
export function separateLabelled(text: string): SeparatedText {
  const found = labelled.exec(text);
  const context = retrieved.exec(text);
  const question = context === null ? -1 : lastMatch(asked, text);
  const isContext = context !== null && question > context.index && (found === null || context.index <= found.index);
  const from = isContext ? context.index : (found?.index ?? -1);
  if (from < 0) return { own: text, quoted: [], observed: false };
  const [label] = isContext ? context : found!;
  const to = isContext ? question : endOf(text, from + label.length);
  return { own: text.slice(0, from) + text.slice(to), quoted: [text.slice(from, to)], observed: !isContext };
}

function endOf(text: string, from: number): number {
  const line = text.indexOf('\n', from);
  if (line < 0) return text.length;
  const rest = text.slice(line + 1);
  fence.lastIndex = 0;
  const opened = fence.exec(rest);
  if (!opened || rest.slice(0, opened.index).trim() !== '') return text.length;
  const closed = lastMatch(fence, rest);
  if (closed === opened.index) return text.length;
  const end = rest.indexOf('\n', closed);
  return end < 0 ? text.length : line + 1 + end;
}

/** Start of the last match of a global pattern, or -1. */
function lastMatch(pattern: RegExp, text: string): number {
  let last = -1;
  for (const { index } of text.matchAll(pattern)) last = index;
  return last;
}
