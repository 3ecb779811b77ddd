/** One simple command of a shell script: its words without quotes, and the files its output is redirected to. */
export interface SimpleCommand {
  readonly words: readonly string[];
  readonly redirects: readonly string[];
}

// One token: a quoted string, an escaped character, a separator, a redirect, or plain text. A recorder may have replaced
// a part of a word by a placeholder such as `<USER_ID_REDACTED>`, which is not a redirect.
const token =
  /'([^']*)'|"((?:\\[\s\S]|[^"\\])*)"|\\([\s\S])|(&&|\|\|?|;|\n)|((?:\d|&)?>{1,2}(?:&\d?|\|)?|<(?![A-Z_]{1,40}>))|([ \t]+)|(<[A-Z_]{1,40}>|[^\s'"\\;|&<>]+|&)/g;

/** Splits a shell script into its simple commands. Bodies of here-documents are not commands and are left out. */
export function simpleCommands(script: string): SimpleCommand[] {
  const text = withoutHereDocuments(script);
  const commands: { words: string[]; redirects: string[] }[] = [];
  let current = { words: [] as string[], redirects: [] as string[] };
  let word: string | null = null;
  let redirect = false;
  const endWord = (): void => {
    if (word === null) return;
    (redirect ? current.redirects : current.words).push(word);
    redirect = false;
    word = null;
  };
  for (const [, single, double, escaped, separator, arrow, space, plain] of text.matchAll(token)) {
    if (separator !== undefined) {
      endWord();
      commands.push(current);
      current = { words: [], redirects: [] };
      redirect = false;
    } else if (arrow !== undefined) {
      endWord();
      // `2>&1` names no file; what follows `<` is only read.
      redirect = arrow.includes('>') && !/&\d?$/.test(arrow);
    } else if (space !== undefined) endWord();
    else word = (word ?? '') + (single ?? double ?? (escaped === '\n' ? ' ' : escaped) ?? plain ?? '');
  }
  endWord();
  return [...commands, current].filter(({ words, redirects }) => words.length + redirects.length > 0);
}

const hereDocument = /<<-?\s*(['"]?)([A-Za-z_]\w*)\1/;

function withoutHereDocuments(script: string): string {
  const kept: string[] = [];
  let end: string | null = null;
  for (const line of script.split('\n')) {
    if (end !== null) {
      if (line.trim() === end) end = null;
      continue;
    }
    const opening = hereDocument.exec(line);
    if (opening) end = opening[2]!;
    kept.push(opening ? line.replace(hereDocument, '') : line);
  }
  return kept.join('\n');
}
