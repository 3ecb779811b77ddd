import { type SeparatedText, separateQuotes } from '@palimpsest/core/authoring';

/** Kind of tagged block. Harnesses put `beside` blocks next to a person's words and `observed` ones next to output. */
type BlockKind = 'beside' | 'observed' | 'document';

/** Tags of known harnesses: Claude Code, Cline and Roo Code, Codex, Cursor, Hermes Agent, browser-use, chat templates. */
const known: ReadonlyMap<string, BlockKind> = new Map([
  ...named(
    'beside',
    'environment_context environment_details ide_opened_file ide_selection user-prompt-submit-hook todo-snapshot user_info additional_data open_and_recently_viewed_files attached_files',
  ),
  ...named(
    'observed',
    'system-reminder system_reminder task-notification local-command-stdout local-command-stderr local-command-caveat bash-input bash-stdout bash-stderr tool_response tool_result tool_results tool_output function_results function_result function_response agent_history browser_state read_state step_info returncode observation',
  ),
]);

/** Words in a tag name that mark a document or program output, alone or joined by `_`, `-`, `.` or camel case. */
const documentWords: ReadonlySet<string> = new Set(
  'document documents doc docs file files attachment attachments attached context page pages web webpage website search result results output outputs stdout stderr log logs trace traceback observation observations response responses snippet snippets excerpt excerpts passage passages chunk chunks reference references sources citation citations knowledge retrieved retrieval memory memories environment workspace editor selection terminal shell console bash execution tool tools function functions system reminder notification browser screenshot email emails mail article articles transcript quoted diff patch commit repository listing uploaded external untrusted crawled scraped fetched kb rag'.split(
    ' ',
  ),
);
const observedWords: ReadonlySet<string> = new Set(
  'tool tools function functions result results output outputs stdout stderr observation observations response responses browser screenshot terminal shell console bash execution system reminder notification'.split(
    ' ',
  ),
);
/** Words in a tag name that mark a person's text or the structure of a prompt. They override all other words. */
const personalWords: ReadonlySet<string> = new Set(
  'user human person task question query request instruction instructions prompt feedback answer message goal objective rule rules guideline guidelines constraint constraints requirement requirements preference preferences convention conventions policy policies important critical note notes example examples issue pr command args format style todo'.split(
    ' ',
  ),
);
/** HTML elements whose names would count as document tags. */
const markup: ReadonlySet<string> = new Set(['article', 'search']);

const tag: RegExp = /<(\/?)([A-Za-z][\w.-]{0,60})(?:\s[^<>]*)?>/g;

interface Mark {
  readonly name: string;
  readonly kind: BlockKind;
  readonly closes: boolean;
  readonly from: number;
  readonly to: number;
}

/**
 * Separates blocks that a harness or a document put into a text: blocks in tags of known harnesses, and blocks in tags
 * named like documents or outputs. A document block must begin a line or span several lines, so that a sentence about
 * tags stays untouched. A surplus closing tag extends the block before it, so a document cannot end its own block.
 * Linear.
 */
export function separateBlocks(text: string): SeparatedText {
  if (!text.includes('<')) return { own: text, quoted: [], observed: false };
  const bare = separateQuotes(text);
  const marks = marksIn(bare.own);
  if (marks.length === 0) return bare;
  const ends = blockEnds(marks);
  const quoted = [...bare.quoted];
  let own = '';
  let from = 0;
  let { observed } = bare;
  for (let at = 0; at < marks.length; at++) {
    const mark = marks[at]!;
    if (mark.closes || mark.from < from) continue;
    const end = ends[at]!;
    // An unclosed harness block runs to the end of the text.
    if (end < 0 && mark.kind === 'document') continue;
    const to = end < 0 ? bare.own.length : marks[end]!.to;
    const block = bare.own.slice(mark.from, to);
    if (mark.kind === 'document' && !beginsLine(bare.own, mark.from) && !block.includes('\n')) continue;
    own += bare.own.slice(from, mark.from);
    quoted.push(block);
    observed ||= mark.kind === 'observed' || (mark.kind === 'document' && hasWord(mark.name, observedWords));
    from = to;
  }
  return { own: own + bare.own.slice(from), quoted, observed };
}

function marksIn(text: string): Mark[] {
  const marks: Mark[] = [];
  for (const { 0: whole, 1: slash, 2: written, index } of text.matchAll(tag)) {
    if (whole.endsWith('/>')) continue;
    const name = written!.toLowerCase();
    const kind = known.get(name) ?? kindByWords(written!);
    if (kind) marks.push({ name, kind, closes: slash === '/', from: index, to: index + whole.length });
  }
  return marks;
}

/** For each opening tag, the index of the mark that closes its block, or -1. */
function blockEnds(marks: readonly Mark[]): Int32Array {
  const ends = new Int32Array(marks.length).fill(-1);
  const open = new Map<string, number[]>();
  const newest = new Map<string, number>();
  marks.forEach(({ name, closes }, at) => {
    let waiting = open.get(name);
    if (!waiting) open.set(name, (waiting = []));
    if (!closes) waiting.push(at);
    else if (waiting.length > 0) {
      const begun = waiting.pop()!;
      ends[begun] = at;
      if (waiting.length === 0) newest.set(name, begun);
    } else if (newest.has(name)) ends[newest.get(name)!] = at;
  });
  return ends;
}

function kindByWords(name: string): BlockKind | null {
  if (markup.has(name) || hasWord(name, personalWords)) return null;
  return hasWord(name, documentWords) ? 'document' : null;
}

function hasWord(name: string, words: ReadonlySet<string>): boolean {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[_.-]/)
    .some((word) => words.has(word));
}

function beginsLine(text: string, at: number): boolean {
  let before = at - 1;
  while (text[before] === ' ' || text[before] === '\t') before--;
  return before < 0 || text[before] === '\n';
}

function named(kind: BlockKind, names: string): [string, BlockKind][] {
  return names.split(' ').map((name) => [name, kind]);
}
