/**
 * Providers explain themselves in a sentence or two. What is longer quotes something: the request, a page, a stack. The
 * beginning and the end hold the explanation (a Python traceback ends with it).
 */
const headCharacters = 1_500;
const tailCharacters = 500;
const htmlTitles: RegExp = /<(title|h1|h2)[^>]{0,200}>([^<]{1,300})/gi;
const url: RegExp = /\bhttps?:\/\/[^\s"'<>)]{1,400}/gi;
/** Behind these words comes what the caller sent, to the end of the line. Not behind a figure: "received: 8292". */
const echo: RegExp =
  /\b(?:input_value|failed_generation|request (?:body|payload)|offending (?:content|text|value))["']?\s?[=:][^\n]*|(?<![\w.\]])(?:received|got|content|value)\s?[=:]\s?(?=[^\s\d([{-])[^\n]*/gi;
/** A quotation longer than a field's name. What stands before it says whose words they are. */
const quotation: RegExp =
  /(^|[^\w])(?:"((?:[^"\\]|\\.){24,})"|`((?:[^`\\]|\\.){24,})`|'((?:[^'\\]|\\.|(?<=\w)'(?=\w)){24,})'(?!\w))/g;
const errorQuoted: RegExp =
  /(?:error|message|reason|returned|responded|said|response|exception|detail|upstream)\W{0,4}$/i;

/**
 * What an error says in its own words, in one normal form: lower case, plain characters, no addresses, no quotation
 * marks, and nothing that quotes the request. A tool result that happens to read like a refusal is no refusal.
 */
export function ownWords(text: string): string {
  const own = isHtml(text) ? titlesOf(text) : ends(text);
  return own
    .normalize('NFKC')
    .replace(url, ' ')
    .replace(quotation, (whole, before: string, ...rest: unknown[]) => {
      const [double, back, single, at] = rest as [string?, string?, string?, number?];
      const said = double ?? back ?? single ?? '';
      const lead = own.slice(Math.max(0, (at ?? 0) - 24), (at ?? 0) + before.length);
      return lead.trim() === '' || errorQuoted.test(lead) ? whole : said.includes(' ') ? `${before}...` : whole;
    })
    .replace(echo, ' ')
    .replace(/(?<!\w)['’]|['’](?!\w)|["“”`*]/g, '')
    .replace(/[ \t\u00a0\u202f]+/g, ' ')
    .toLowerCase()
    .trim();
}

/** True for a web page: a proxy's own, or a framework's debugging page, which may hold the request. */
export function isHtml(text: string): boolean {
  return /<(?:!doctype html|html|head|body)[\s>]/i.test(text.slice(0, 500));
}

function titlesOf(text: string): string {
  const titles: string[] = [];
  for (const match of text.slice(0, 20_000).matchAll(htmlTitles)) {
    titles.push(match[2]!);
    if (titles.length === 3) break;
  }
  return titles.join('\n');
}

function ends(text: string): string {
  if (text.length <= headCharacters + tailCharacters) return text;
  return `${text.slice(0, headCharacters)}\n${text.slice(-tailCharacters)}`;
}
