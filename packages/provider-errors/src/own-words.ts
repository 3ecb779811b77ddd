/**
 * Providers explain an error in a sentence or two. Longer texts quote something: the request, a page, a stack. The
 * explanation is at the beginning or at the end (as in a Python traceback).
 */
const headCharacters = 1_500;
const tailCharacters = 500;
const htmlTitles: RegExp = /<(title|h1|h2)[^>]{0,200}>([^<]{1,300})/gi;
const url: RegExp = /\bhttps?:\/\/[^\s"'<>)]{1,400}/gi;
/** The rest of the line after these words quotes the request. A number after them does not: "received: 8292". */
const echo: RegExp =
  /\b(?:input_value|failed_generation|request (?:body|payload)|offending (?:content|text|value))["']?\s?[=:][^\n]*|(?<![\w.\]])(?:received|got|content|value)\s?[=:]\s?(?=[^\s\d([{-])[^\n]*/gi;
/** A quotation too long for a field name. The words before it show whether it quotes the error or the request. */
const quotation: RegExp =
  /(^|[^\w])(?:"((?:[^"\\]|\\.){24,})"|`((?:[^`\\]|\\.){24,})`|'((?:[^'\\]|\\.|(?<=\w)'(?=\w)){24,})'(?!\w))/g;
const errorQuoted: RegExp =
  /(?:error|message|reason|returned|responded|said|response|exception|detail|upstream)\W{0,4}$/i;

/**
 * The error's own words, normalized: lower case, plain characters, without URLs, quotation marks and quotes of the
 * request. A quoted tool result that reads like a refusal must not be taken for one.
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

/** True for a web page: a proxy's error page, or a framework's debugging page, which may contain the request. */
function isHtml(text: string): boolean {
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
