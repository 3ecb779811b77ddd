import { closingFence, type SeparatedText } from '@palimpsest/core/authoring';
import type { AgentProfile } from '../agent-profile.ts';

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

/** Maximum number of quotations to look for in a text, to bound the time. All after the last one is quoted. */
const maxQuotations = 8;

interface LabelledText extends SeparatedText {
  /** True if nothing follows the last label, or its fence is not closed. */
  readonly isOpen: boolean;
}

/**
 * Creates a function that separates labelled program output and documents from a text. Retrieved context ends at the label
 * of the question. What follows a label of an agent extends to the end of the text. Other quotations end with the code
 * fence that begins after the label, else at the end of the text. Linear time.
 */
export function labelSeparator(agents: readonly AgentProfile[]): (text: string) => LabelledText {
  const ofAgents = agents.flatMap(({ labels = [] }) => labels.map(({ source }) => `(?:${source})`));
  const announced = ofAgents.length === 0 ? null : new RegExp(`^(?:${ofAgents.join('|')})`, 'm');
  return (text) => {
    const quoted: string[] = [];
    let own = '';
    let observed = false;
    let isOpen = false;
    let rest = text;
    for (let left = maxQuotations; rest !== ''; left--) {
      const range = nextRange(rest, announced);
      if (!range) break;
      // In one text, the last fence closes the first quotation, so there are few.
      const to = left === 0 ? rest.length : range.to;
      own += rest.slice(0, range.from);
      quoted.push(rest.slice(range.from, to));
      observed ||= range.observed;
      isOpen = range.isOpen;
      rest = rest.slice(to);
    }
    return { own: own + rest, quoted, observed, isOpen };
  };
}

interface Range {
  readonly from: number;
  readonly to: number;
  readonly observed: boolean;
  readonly isOpen: boolean;
}

function nextRange(text: string, announced: RegExp | null): Range | null {
  const ofAgent = announced?.exec(text) ?? null;
  const found = labelled.exec(text);
  const context = retrieved.exec(text);
  const question = context === null ? -1 : lastMatch(asked, text);
  const first = Math.min(ofAgent?.index ?? Number.POSITIVE_INFINITY, found?.index ?? Number.POSITIVE_INFINITY);
  if (context !== null && question > context.index && context.index <= first)
    return { from: context.index, to: question, observed: false, isOpen: false };
  if (ofAgent?.index === first) {
    const isOpen = text.slice(first + ofAgent[0].length).trim() === '';
    return { from: first, to: text.length, observed: true, isOpen };
  }
  if (!found) return null;
  return { from: first, observed: true, ...endOf(text, first + found[0].length) };
}

/** Returns the end of what a label announces that ends at an offset. */
function endOf(text: string, from: number): Pick<Range, 'to' | 'isOpen'> {
  const line = text.indexOf('\n', from);
  const content = line < 0 ? '' : text.slice(line + 1);
  if (content.trim() === '') return { to: text.length, isOpen: text.slice(from).trim() === '' };
  const isFenced = /^\s*(?:`{3}|~{3})/.test(content);
  const end = isFenced ? closingFence(content) : -1;
  return end < 0 ? { to: text.length, isOpen: isFenced } : { to: line + 1 + end, isOpen: false };
}

/** Labels of the context in retrieval prompts, which a question in another part may follow. */
export function findRetrievedContext(text: string): number {
  const found = retrieved.exec(text);
  return found && lastMatch(asked, text) <= found.index ? found.index : -1;
}

/** Start of the label of the last question in a text, or -1. */
export function lastQuestion(text: string): number {
  return lastMatch(asked, text);
}

/** Start of the last match of a global pattern, or -1. */
function lastMatch(pattern: RegExp, text: string): number {
  let last = -1;
  for (const { index } of text.matchAll(pattern)) last = index;
  return last;
}
